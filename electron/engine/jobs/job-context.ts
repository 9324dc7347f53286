import type { EmbeddedBackend } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { JobRegistry } from './job-registry.ts';

/** The parts of an open store that jobs use. */
export interface JobContext {
  readonly backend: EmbeddedBackend;
  readonly jobs: JobRegistry;
  readonly clock: Clock;
  readonly log: Logger;
  /** Resolves when waiting calls have been answered. Call it between two parts of long work. */
  yieldToCalls(): Promise<void>;
}
