import type { MeterRegistry } from '../../expiry/meters.ts';
import type { ServerNetwork } from '../../network/server-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MinuteStore } from '../backend.ts';

export interface PostgresOptions {
  readonly uri: string;
  /** Password, which outranks one in the URI. */
  readonly secret?: string | undefined;
  /** Absent: a direct one. */
  readonly network?: ServerNetwork | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters: MeterRegistry;
  readonly readOnly: boolean;
  /** Figures per minute; the backend closes it. Absent: none are kept. */
  readonly minutes?: (MinuteStore & { close(): void }) | undefined;
  /** A server that was first reached after the opening is of a product that is opened in another way. */
  readonly onOtherProduct?: () => void;
  readonly onListenerError?: (error: unknown) => void;
}
