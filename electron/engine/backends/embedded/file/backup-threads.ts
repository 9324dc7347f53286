import { Worker } from 'node:worker_threads';
import { entryUrl } from '../../../platform/entry-url.ts';
import { deserializeError, type SerializedError } from '../../../protocol/thread-messages.ts';
import type { BackupOptions, BackupResult } from '../../backend.ts';
import { type BackupOrder, checkBackupFile } from './backup.ts';

export type FromBackupThread =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done'; result: BackupResult }
  | { kind: 'failed'; error: SerializedError };

/** Running backups, each on its own thread. */
export class ThreadBackups {
  readonly #running = new Map<Promise<BackupResult>, AbortController>();

  /**
   * Rejects with INVALID_FILE, EXPECTATION_FAILED, CANCELLED, or STORE_UNREADABLE if the written copy is incomplete.
   */
  async write(order: BackupOrder, { signal, onProgress, knownStores }: BackupOptions): Promise<BackupResult> {
    checkBackupFile(order.file, knownStores);
    const stop = new AbortController();
    const running = runThread(order, AbortSignal.any([signal, stop.signal]), onProgress);
    this.#running.set(running, stop);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Cancels running backups and waits until their files are removed. */
  async close(): Promise<void> {
    for (const stop of this.#running.values()) stop.abort();
    await Promise.allSettled(this.#running.keys());
  }
}

function runThread(
  order: BackupOrder,
  signal: AbortSignal,
  onProgress: BackupOptions['onProgress'],
): Promise<BackupResult> {
  const worker = new Worker(entryUrl('./backup-thread.ts', import.meta.url), { workerData: order });
  const cancel = () => worker.postMessage('cancel');
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return new Promise<BackupResult>((resolve, reject) => {
    worker.on('message', (message: FromBackupThread) => {
      if (message.kind === 'progress') onProgress(message.done, message.total);
      else if (message.kind === 'done') resolve(message.result);
      else reject(deserializeError(message.error));
    });
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`the backup’s thread ended with code ${code}`)));
  }).finally(() => signal.removeEventListener('abort', cancel));
}
