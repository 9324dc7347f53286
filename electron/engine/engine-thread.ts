/**
 * Entry of the engine's worker thread. Starts the reader thread before loading anything else, so that both load at
 * the same time: the first answer needs both.
 */
import { preloadReaderThread } from './backends/embedded/reader-threads.ts';

preloadReaderThread();
await import('./serve-ports.ts');
