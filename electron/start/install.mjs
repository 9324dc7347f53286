// Installing from the lock file, and knowing when that is not needed.
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
 * What npm notes of an install (`node_modules/.package-lock.json`, written last) against the lock file.
 * @param {string} lockText
 * @param {string} installedText
 * @returns {boolean} True where every package is there in its locked version; most optional ones are other systems'.
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
 * @returns {boolean} False where `npm ci` is due. Installing by hand counts, so nobody's packages are replaced.
 */
export function isInstalled(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const installedText = readText(join(root, 'node_modules', '.package-lock.json'));
  if (installedText === undefined) return false;
  return readText(stampOf(root)) === hash(lockText) || matchesLock(lockText, installedText);
}

/**
 * The Node to run npm with: not the one in node_modules, which `npm ci` is about to delete.
 * @param {string} root
 */
function nodeForNpm(root) {
  const inside = `${join(root, 'node_modules')}${sep}`;
  const candidates = [process.env.npm_node_execpath, process.execPath];
  return candidates.find(path => path !== undefined && !path.startsWith(inside));
}

/**
 * Runs `npm ci`, its progress on standard error so that standard output stays the program's own.
 * @param {string} root
 * @returns {boolean} Whether it succeeded.
 */
export function install(root) {
  const node = nodeForNpm(root);
  const npm = process.env.npm_execpath;
  // Windows cannot delete the Node that is running us, which `npm ci` would try.
  const verb = process.platform === 'win32' && node === undefined ? 'install' : 'ci';
  // What npm warns of is for developers: the Node that the packages want is among them.
  const words = [verb, '--no-audit', '--no-fund', '--loglevel=error'];
  const stdio = /** @type {const} */ (['ignore', 2, 2]);
  const result =
    node !== undefined && npm?.endsWith('.js')
      ? spawnSync(node, [npm, ...words], { cwd: root, stdio: [...stdio] })
      : spawnSync('npm', words, { cwd: root, stdio: [...stdio], shell: process.platform === 'win32' });
  if (result.status !== 0) return false;
  mkdirSync(dirname(stampOf(root)), { recursive: true });
  writeFileSync(stampOf(root), hash(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return true;
}
