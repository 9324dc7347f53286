// Installs the packages of the lock file, unless they are installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** @param {string} root */
const stampOf = root => join(root, 'node_modules', '.sandglass', 'installed');

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} text */
const hash = text => createHash('sha256').update(text).digest('hex');

/** @typedef {{ version?: string, optional?: boolean }} LockedPackage */

/**
 * Compares npm's record of an install (`node_modules/.package-lock.json`, written last) with the lock file.
 * @param {string} lockText
 * @param {string} installedText
 * @returns {boolean} True if every package has its locked version. Optional ones may be missing: most are for other
 * systems.
 * @internal
 */
export function matchesLock(lockText, installedText) {
  /** @type {{ packages: Record<string, LockedPackage> }} */
  const lock = JSON.parse(lockText);
  /** @type {{ packages: Record<string, LockedPackage> }} */
  const installed = JSON.parse(installedText);
  return Object.entries(lock.packages).every(([path, locked]) => {
    if (path === '') return true;
    const found = installed.packages[path];
    return found === undefined ? locked.optional === true : found.version === locked.version;
  });
}

/**
 * @param {string} root
 * @returns {boolean} False where `npm ci` is needed. A manual install counts too, and is not replaced.
 */
export function isInstalled(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const installedText = readText(join(root, 'node_modules', '.package-lock.json'));
  if (installedText === undefined) return false;
  return readText(stampOf(root)) === hash(lockText) || matchesLock(lockText, installedText);
}

/**
 * Returns the Node to run npm with: never the one in node_modules, which `npm ci` deletes.
 * @param {string} root
 */
function nodeForNpm(root) {
  const inside = `${join(root, 'node_modules')}${sep}`;
  const candidates = [process.env.npm_node_execpath, process.execPath];
  return candidates.find(path => path !== undefined && !path.startsWith(inside));
}

/**
 * Runs `npm ci`, with its progress on standard error: standard output is the program's.
 * @param {string} root
 * @returns {boolean} Whether it succeeded.
 */
export function install(root) {
  const node = nodeForNpm(root);
  const npm = process.env.npm_execpath;
  // `npm ci` would delete the running Node, which Windows refuses.
  const verb = process.platform === 'win32' && node === undefined ? 'install' : 'ci';
  // Warnings are suppressed: they concern developers, such as that of an unsupported Node.
  const args = [verb, '--no-audit', '--no-fund', '--loglevel=error'];
  const stdio = /** @type {const} */ (['ignore', 2, 2]);
  const result =
    node !== undefined && npm?.endsWith('.js')
      ? spawnSync(node, [npm, ...args], { cwd: root, stdio: [...stdio] })
      : spawnSync('npm', args, { cwd: root, stdio: [...stdio], shell: process.platform === 'win32' });
  if (result.status !== 0) return false;
  mkdirSync(dirname(stampOf(root)), { recursive: true });
  writeFileSync(stampOf(root), hash(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return true;
}
