import type { ServerNetwork } from '../../../network/server-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { CommandConnection } from './command-connection.ts';
import type { RedisConnection } from './redis-connection.ts';

/** A master, with the connections to it. */
export interface Master {
  /** `host:port`. */
  readonly address: string;
  /** For polls and PINGs; shared with API calls. */
  readonly commands: RedisConnection;
  /** For scans and for keys that changed. */
  readonly reading: RedisConnection;
  /** For notifications only. */
  readonly events: RedisConnection;
}

/** The masters of a deployment: one, or those of a cluster. Connections are restored without a call. */
export interface Masters {
  /** For API calls: each command goes to the master of its key. */
  readonly commands: CommandConnection;
  /**
   * Resolves when each attempt to connect has ended once. Rejects if no server can be reached, or if it refuses the user,
   * the password or the database.
   */
  firstAttempt(): Promise<void>;
  /** The masters that are known now, some of which may not be reachable. */
  readonly known: readonly Master[];
  /** Resolves with all masters when every one can be reached. Rejects with CANCELLED. */
  all(signal: AbortSignal): Promise<readonly Master[]>;
  /** Returns why the masters are others than `all` returned; null: they are the same. */
  changed(): Promise<string | null>;
  /** Calls `listener` each time that a connection is lost. Returns the function that unsubscribes. */
  onLost(listener: (error: Error) => void): () => void;
  close(): void;
}

export interface MastersOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly network: ServerNetwork;
}
