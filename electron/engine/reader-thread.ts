/** Entry of the read-only thread: scans run here without delaying writes or the reaper. */
import { parentPort } from 'node:worker_threads';
import { EmbeddedReads } from './backends/embedded/embedded-reads.ts';
import type { ReadAnswer, ReadMethod, ReadRequest } from './backends/embedded/reader-threads.ts';
import { systemClock } from './platform/clock.ts';
import { withoutFormData } from './platform/form-data.ts';
import { serializeError } from './protocol/thread-messages.ts';

withoutFormData();

let opened: EmbeddedReads | null = null;
/** Methods that take an abort signal after all their other arguments, which are always sent. */
const CANCELLABLE: ReadonlySet<ReadMethod> = new Set(['documents', 'matchingIds', 'preview', 'candidates']);
const running = new Map<number, AbortController>();
/** Called after each commit of the writer. */
const onCommit = new Set<() => void>();

parentPort?.on('message', (request: ReadRequest) => {
  if (request.kind === 'cancel') return running.get(request.id)?.abort();
  if (request.kind === 'committed') for (const listener of [...onCommit]) listener();
  else if (request.kind === 'open') opened = new EmbeddedReads(request.file, systemClock);
  else if (opened === null) throw new Error('a read was requested before a store was opened');
  else if (request.kind === 'serve') void serve(opened, request);
  else void answer(opened, request).then(rehearseOnce);
});

/** Answers calls of a port. The code for that is loaded with the first port: the first answer of a store does not wait for it. */
async function serve(
  reads: EmbeddedReads,
  { port, access }: Extract<ReadRequest, { kind: 'serve' }>,
): Promise<void> {
  const { serveReads } = await import('./serve-reads.ts');
  serveReads(reads, port, access, listener => {
    onCommit.add(listener);
    return () => onCommit.delete(listener);
  });
}

let isRehearsed = false;
let isClosing = false;

/** After the first answer, which it does not delay, reads ahead a step at a time between other messages. */
function rehearseOnce(): void {
  if (isRehearsed || opened === null) return;
  isRehearsed = true;
  const reads = opened.rehearse();
  const step = () => {
    if (isClosing) return;
    try {
      if (reads.next().done !== true) setImmediate(step);
    } catch {
      // A store that cannot be read says so to the callers who read it.
    }
  };
  setImmediate(step);
}

async function answer(
  reads: EmbeddedReads,
  { id, method, args }: Extract<ReadRequest, { kind: 'call' }>,
): Promise<void> {
  if (method === 'close') isClosing = true;
  const controller = new AbortController();
  running.set(id, controller);
  try {
    // The caller's types checked the arguments. A signal cannot be posted between threads, so it is made here.
    const call = reads[method] as (...given: unknown[]) => Promise<unknown>;
    send({ id, result: await call(...args, ...(CANCELLABLE.has(method) ? [controller.signal] : [])) });
  } catch (error) {
    // Reached also if the answer could not be posted: the caller gets the error, and the thread continues.
    send({ id, error: serializeError(error) });
  } finally {
    running.delete(id);
  }
  if (method === 'close') parentPort?.close();
}

function send(answer: ReadAnswer): void {
  parentPort?.postMessage(answer);
}
