import type { ConnectionTest } from '../../../../shared/contract/connections.ts';
import type { ServerNetwork } from '../../network/server-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';

/** Target of a connection test, which changes nothing on the server. */
export interface ProbeOptions {
  uri: string;
  /** Password; overrides one in the URI. */
  secret: string | undefined;
  /** Absent: a direct one. */
  network?: ServerNetwork;
  clock: Clock;
  log: Logger;
}

export type ServerProbe = Omit<ConnectionTest & { is: 'server' }, 'is'>;

const CALLS = 3;

/** Calls a server a few times and returns the median duration, ms. */
export async function measureRoundTrip(clock: Clock, call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const sentAt = clock.elapsed();
    await call();
    times.push(clock.elapsed() - sentAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(CALLS / 2)] ?? 0;
}
