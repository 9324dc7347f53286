// A lock: two starts in one checkout must not install or build at the same time.
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Runs `work` while holding the lock of `root`, after waiting for the process that holds it. The lock of a process that
 * has ended is taken over.
 * @template T
 * @param {string} root
 * @param {() => void} onWait Called once where another process holds the lock.
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPreparationLock(root, onWait, work) {
  // The lock is not in node_modules or dist, which `work` deletes.
  const folder = join(root, '.sandglass');
  const file = join(folder, 'preparing');
  mkdirSync(folder, { recursive: true });
  const mine = `${file}.${randomUUID()}`;
  writeFileSync(mine, String(process.pid));
  // A link appears with its content, so the lock is never read without its owner.
  for (let waited = false; !tryLink(mine, file); waited = true) {
    const owner = readOwner(file);
    if (owner === undefined) continue;
    if (!isAlive(owner)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waited) onWait();
    await sleep(100);
  }
  rmSync(mine, { force: true });
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {boolean} False where `to` exists.
 */
function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {number | undefined} The process id; undefined if the lock was released meanwhile.
 */
function readOwner(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
