/**
 * Entry of the engine's worker thread. Starts the reader thread before loading anything else, so that both load at
 * the same time: the first answer needs both. A remote store has no reader thread.
 */
import { workerData } from 'node:worker_threads';
import { preloadReaderThread } from './backends/embedded/reader-threads.ts';
import { withoutFormData } from './platform/form-data.ts';

// Checked by `serve-ports.ts`, whose code is not loaded yet.
const { store }: { store: { kind: string } } = workerData;
if (store.kind === 'file') preloadReaderThread();
withoutFormData();
await import('./serve-ports.ts');
