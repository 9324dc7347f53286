/**
 * Entry of the engine's worker thread. The reader's thread is begun before anything else is loaded, so that both load
 * at once: the first answer needs both.
 */
import { preloadReaderThread } from './backends/embedded/reader-threads.ts';

preloadReaderThread();
await import('./serving.ts');
