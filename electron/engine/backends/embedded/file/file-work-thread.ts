/** Entry of the thread that checks a store's file or writes it anew: it takes long, and nobody waits for it. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { diskFull, isOutOfSpace } from '../../../files/disk.ts';
import { toldError } from '../../../protocol/thread-messages.ts';
import { checkFile, compactFile } from './file-work.ts';
import type { FromFileWork } from './file-work-threads.ts';

const order = z.object({ kind: z.enum(['check', 'compact']), store: z.string() }).parse(workerData);
const port = parentPort;

function tell(message: FromFileWork): void {
  port?.postMessage(message);
}

/** The work never gives this thread's event loop a turn, so what was sent is asked for. */
function refuseIfCancelled(): void {
  if (port !== null && receiveMessageOnPort(port) !== undefined)
    throw new SandglassError('CANCELLED', 'The check was cancelled.');
}

try {
  if (order.kind === 'compact') tell({ kind: 'compacted', result: compactFile(order.store) });
  else {
    const result = checkFile(order.store, (done, total) => {
      refuseIfCancelled();
      tell({ kind: 'progress', done, total });
    });
    tell({ kind: 'checked', result });
  }
} catch (error) {
  tell({
    kind: 'failed',
    error: toldError(isOutOfSpace(error, order.store) ? diskFull(order.store, 0) : error),
  });
}
port?.close();
