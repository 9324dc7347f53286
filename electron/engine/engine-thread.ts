/**
 * Entry of the engine's worker thread. Starts the reader thread before loading anything else, so that both load at
 * the same time: the first answer needs both. A remote store has no reader thread.
 */
import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { preloadReaderThread } from './backends/embedded/reader-threads.ts';

const { store } = z.object({ store: z.object({ kind: z.string() }) }).parse(workerData);
if (store.kind === 'file') preloadReaderThread();
await import('./serve-ports.ts');
