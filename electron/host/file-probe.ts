import { Worker } from 'node:worker_threads';
import { type ConnectionTest, connectionTest } from '../../shared/contract/connections.ts';

/** What opening a store would find, on a thread of its own; nothing is changed. Not for one that this process has open. */
export function probe(file: string): Promise<ConnectionTest> {
  const worker = new Worker(threadUrl(), { workerData: { file } });
  return new Promise((resolve, reject) => {
    worker.on('message', answer => resolve(connectionTest.parse(answer)));
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`the thread that looks at ${file} ended with code ${code}`)));
  });
}

/** Sources run as they are, the build lies beside its entry. */
function threadUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(
    isSource ? '../engine/backends/embedded/file/probe-thread.ts' : './probe-thread.js',
    import.meta.url,
  );
}
