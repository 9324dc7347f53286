import { Worker } from 'node:worker_threads';
import { type ConnectionTest, connectionTest } from '../../shared/contract/connections.ts';
import { entryUrl } from '../engine/platform/entry-url.ts';

/**
 * Returns the result that opening a store would have, without changing its file. Do not call it for a file that this
 * process has open.
 */
export function probe(file: string): Promise<ConnectionTest> {
  const worker = new Worker(entryUrl('../engine/backends/embedded/file/probe-thread.ts', import.meta.url), {
    workerData: { file },
  });
  return new Promise((resolve, reject) => {
    worker.on('message', answer => resolve(connectionTest.parse(answer)));
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`the thread that probes ${file} ended with code ${code}`)));
  });
}
