import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @type {Set<string>} */
const made = new Set();
const CODES = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });

/**
 * Creates a folder `PREFIX` + this process's id + `-` + random letters in `place`. It is deleted when the process ends, unless a
 * signal ends it at once; the next call with the same place and prefix then deletes it.
 *
 * @param {string} place
 * @param {string} prefix
 * @returns {string}
 */
export function processFolder(place, prefix) {
  removeStale(place, prefix);
  const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`));
  if (made.size === 0) process.once('exit', removeAll);
  made.add(folder);
  return folder;
}

/** @param {string} folder */
export function removeFolder(folder) {
  // A process that is being killed may still write into it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made.delete(folder);
  if (made.size === 0) process.off('exit', removeAll);
}

function removeAll() {
  for (const folder of made) removeFolder(folder);
}

/**
 * Lets signals end this process as its own end does, with the folders that it made.
 *
 * @param {() => boolean} [isBusy] Whether children are still to end by the same signal; a second signal does not wait.
 * @returns {() => void} To be called after the end of a child.
 */
export function exitOnSignals(isBusy = () => false) {
  /** @type {number | null} */
  let code = null;
  const exit = () => {
    if (code !== null && !isBusy()) process.exit(code);
  };
  for (const [signal, itsCode] of Object.entries(CODES))
    process.on(signal, () => {
      if (code !== null) process.exit(code);
      code = itsCode;
      exit();
    });
  return exit;
}

/**
 * @param {string} place
 * @param {string} prefix
 */
function removeStale(place, prefix) {
  for (const name of readdirSync(place)) {
    const id = name.startsWith(prefix) ? /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (id === undefined || isRunning(Number(id))) continue;
    const folder = join(place, name);
    const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
    if (owner === process.getuid?.()) removeFolder(folder);
  }
}

/** @param {number} id */
function isRunning(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // EPERM: a process of another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
