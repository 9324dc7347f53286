import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { processFolder, removeFolder } from './process-folder.mjs';

/** File system in memory that Linux mounts for every process. */
const SHARED_MEMORY = '/dev/shm';
/** Required free space, bytes. The stores of all unit tests that run at once take some hundred megabytes. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;

/**
 * Calls `run` with the folder for the temporary files of tests: in memory where Linux has room for it, since a store that
 * syncs a commit to a disk waits some 7 ms for it, and 0.1 ms in memory.
 * Deletes the folder afterwards (process-folder.mjs).
 *
 * @template T
 * @param {(folder: string) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withTemporaryFolder(run) {
  const folder = processFolder(hasRoomInMemory() ? SHARED_MEMORY : tmpdir(), 'sandglass-unit-');
  try {
    return await run(folder);
  } finally {
    removeFolder(folder);
  }
}

function hasRoomInMemory() {
  if (process.platform !== 'linux' || !existsSync(SHARED_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= LEAST_FREE_BYTES;
}
