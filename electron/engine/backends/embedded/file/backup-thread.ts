/** Entry of the thread that writes one backup, which takes long and must not delay calls. */
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { serializeError } from '../../../protocol/thread-messages.ts';
import { writeBackup } from './backup.ts';
import type { FromBackupThread } from './backup-threads.ts';

const order = z.object({ store: z.string(), file: z.string(), at: z.number() }).parse(workerData);
let isCancelled = false;
parentPort?.on('message', () => {
  isCancelled = true;
});

function send(message: FromBackupThread): void {
  parentPort?.postMessage(message);
}

try {
  const result = await writeBackup(order, (done, total) => {
    if (isCancelled)
      throw new SandglassError('CANCELLED', 'The backup was cancelled; nothing of it is left.');
    send({ kind: 'progress', done, total });
  });
  send({ kind: 'done', result });
} catch (error) {
  send({ kind: 'failed', error: serializeError(error) });
}
parentPort?.close();
