/** Entry of the thread that checks or compacts a store's file: both take long and must not delay calls. */
import { once } from 'node:events';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { diskFull, isOutOfSpace } from '../../../files/file-system-space.ts';
import { serializeError } from '../../../protocol/thread-messages.ts';
import { removeCompactCopy, writeBack, writeCompactCopy } from './compact.ts';
import { checkFile } from './file-work.ts';
import type { FromFileWork, ToFileWork } from './file-work-threads.ts';

const order = z.object({ kind: z.enum(['check', 'compact']), store: z.string() }).parse(workerData);
const port = parentPort;

function send(message: FromFileWork): void {
  port?.postMessage(message);
}

function cancelled(): SandglassError {
  return new SandglassError('CANCELLED', `The ${order.kind} was cancelled.`);
}

/** Polls for messages, since the check does not yield to this thread's event loop. */
function refuseIfCancelled(): void {
  if (port !== null && receiveMessageOnPort(port) !== undefined) throw cancelled();
}

function check(store: string): void {
  const result = checkFile(store, (done, total) => {
    refuseIfCancelled();
    send({ kind: 'progress', done, total });
  });
  send({ kind: 'checked', result });
}

/**
 * Writes the store only after the other thread confirmed it: compacting may have been cancelled while the copy was
 * made.
 */
async function compact(store: string): Promise<void> {
  try {
    writeCompactCopy(store);
    send({ kind: 'copied' });
    const [answer]: ToFileWork[] = port === null ? [] : await once(port, 'message');
    if (answer !== 'go on') throw cancelled();
    let isCancelled = false;
    port?.once('message', () => {
      isCancelled = true;
    });
    const result = await writeBack(store, (done, total) => {
      if (isCancelled) throw cancelled();
      send({ kind: 'progress', done, total });
    });
    send({ kind: 'compacted', result });
  } finally {
    removeCompactCopy(store);
  }
}

try {
  if (order.kind === 'compact') await compact(order.store);
  else check(order.store);
} catch (error) {
  send({
    kind: 'failed',
    error: serializeError(isOutOfSpace(error, order.store) ? diskFull(order.store, 0) : error),
  });
}
port?.close();
