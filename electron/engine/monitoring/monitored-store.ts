import type { EmbeddedBackend } from '../backends/backend.ts';
import type { MeterRegistry } from '../expiry/meters.ts';
import type { Reaper } from '../expiry/reaper.ts';
import type { Clock } from '../platform/clock.ts';

/** The parts of an open store from which its figures are computed. */
export interface Monitored {
  readonly backend: EmbeddedBackend;
  readonly reaper: Reaper;
  readonly meters: MeterRegistry;
  readonly clock: Clock;
  /** True if the store is not written and no reaper runs [P2]. */
  readonly readOnly: boolean;
  /** Resolves when waiting calls have been answered. */
  yieldToCalls(): Promise<void>;
}
