/** Entry of the thread that copies a store into new files after a failed sync: reads continue meanwhile. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { serializeError } from '../../../protocol/thread-messages.ts';
import { copyToNewFiles } from './copy-after-failed-sync.ts';
import type { FromRecovery } from './failed-sync.ts';
import { readSyncMark, syncMark, writeSyncMark } from './sync-mark.ts';

const { file, source, mark } = z
  .object({ file: z.string(), source: z.number(), mark: syncMark })
  .parse(workerData);

function copy(): FromRecovery {
  try {
    // The mark could not be written when the sync failed.
    if (readSyncMark(file) === null) writeSyncMark(file, mark);
    copyToNewFiles(file, source, mark);
    return { is: 'copied' };
  } catch (error) {
    return { is: 'failed', error: serializeError(error) };
  }
}

parentPort?.postMessage(copy());
