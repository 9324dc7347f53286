import { Worker } from 'node:worker_threads';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { entryUrl } from '../../../platform/entry-url.ts';
import { deserializeError, type SerializedError } from '../../../protocol/thread-messages.ts';
import type { CheckResult, CompactResult, FileWorkOptions } from '../../backend.ts';

/** `go on`: the store may be overwritten with the copy. */
export type ToFileWork = 'cancel' | 'go on';
export type FromFileWork =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'copied' }
  | { kind: 'checked'; result: CheckResult }
  | { kind: 'compacted'; result: CompactResult }
  | { kind: 'failed'; error: SerializedError };

/** Checks the file on its own thread. Rejects with CANCELLED. */
export async function checkOnThread(store: string, options: FileWorkOptions): Promise<CheckResult> {
  const answer = await run({ kind: 'check', store }, options);
  if (answer.kind !== 'checked') throw new Error(`a check answered ${answer.kind}`);
  return answer.result;
}

/**
 * Compacts the file on its own thread: first into a copy, which only reads the store, then, unless it was cancelled,
 * from the copy back. `onWriteBack` is called between the two: from then until the promise settles nothing else may
 * write the store. Rejects with DISK_FULL, or with CANCELLED after the copy was removed.
 */
export async function compactOnThread(
  store: string,
  options: FileWorkOptions,
  onWriteBack: () => void,
): Promise<CompactResult> {
  const answer = await run({ kind: 'compact', store }, options, onWriteBack);
  if (answer.kind !== 'compacted') throw new Error(`a compaction answered ${answer.kind}`);
  return answer.result;
}

function run(
  order: { kind: 'check' | 'compact'; store: string },
  { signal, onProgress = () => {} }: FileWorkOptions,
  onWriteBack = () => {},
): Promise<FromFileWork> {
  if (signal.aborted)
    return Promise.reject(new SandglassError('CANCELLED', `The ${order.kind} was cancelled.`));
  const worker = new Worker(entryUrl('./file-work-thread.ts', import.meta.url), { workerData: order });
  const post = (message: ToFileWork) => worker.postMessage(message);
  const cancel = () => post('cancel');
  signal.addEventListener('abort', cancel, { once: true });
  return new Promise<FromFileWork>((resolve, reject) => {
    worker.on('message', (message: FromFileWork) => {
      if (message.kind === 'progress') onProgress(message.done, message.total);
      else if (message.kind === 'copied') {
        // A cancel that was sent before arrives first.
        if (signal.aborted) return;
        onWriteBack();
        post('go on');
      } else if (message.kind === 'failed') reject(deserializeError(message.error));
      else resolve(message);
    });
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`the thread that works on the file ended with code ${code}`)));
  }).finally(() => signal.removeEventListener('abort', cancel));
}
