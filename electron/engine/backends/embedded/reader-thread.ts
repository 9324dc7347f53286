/** Entry of the second, read-only thread: whatever scans runs here, and delays neither a write nor the reaper. */
import { parentPort } from 'node:worker_threads';
import { systemClock } from '../../platform/clock.ts';
import { toldError } from '../../protocol/thread-messages.ts';
import type { ReadAnswer, ReadMethod, ReadRequest } from './reader-threads.ts';
import { EmbeddedReads } from './reads.ts';

let opened: EmbeddedReads | null = null;
/** Take the signal after all their other arguments, which are always sent. */
const CANCELLABLE: ReadonlySet<ReadMethod> = new Set(['documents', 'chosen', 'preview', 'candidates']);
const running = new Map<number, AbortController>();

parentPort?.on('message', (request: ReadRequest) => {
  if (request.kind === 'cancel') return running.get(request.id)?.abort();
  if (request.kind === 'open') opened = new EmbeddedReads(request.file, systemClock);
  else if (opened === null) throw new Error('a read was asked for before a store was opened');
  else void answer(opened, request);
});

async function answer(
  reads: EmbeddedReads,
  { id, method, args }: Extract<ReadRequest, { kind: 'call' }>,
): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    // The arguments were checked by the caller's types; the signal cannot cross and is made here.
    const call = reads[method] as (...given: unknown[]) => Promise<unknown>;
    tell({ id, result: await call(...args, ...(CANCELLABLE.has(method) ? [controller.signal] : [])) });
  } catch (error) {
    // Also where the answer itself could not be sent: the caller is told, and the thread goes on.
    tell({ id, error: toldError(error) });
  } finally {
    running.delete(id);
  }
  if (method === 'close') parentPort?.close();
}

function tell(answer: ReadAnswer): void {
  parentPort?.postMessage(answer);
}
