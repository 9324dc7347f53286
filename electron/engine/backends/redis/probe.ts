import type { ConnectionTest } from '../../../../shared/contract/connections.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { RedisConnection } from './connection/redis-connection.ts';
import { parseRedisUri } from './connection/redis-uri.ts';
import { readServerFacts, type ServerFacts, serverName } from './server/server-facts.ts';

export interface ProbeOptions {
  uri: string;
  secret: string | undefined;
  clock: Clock;
  log: Logger;
}

const PINGS = 3;

/** Returns what the server is and how far away it is; changes nothing. Rejects with why it cannot be used. */
export async function probeRedis({
  uri,
  secret,
  clock,
  log,
}: ProbeOptions): Promise<Omit<ConnectionTest & { is: 'server' }, 'is'>> {
  const given = parseRedisUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const connection = await RedisConnection.open({ target, log, name: 'sandglass-test' });
  try {
    const facts = await readServerFacts(connection);
    return {
      server: serverName(facts),
      roundTripMs: await roundTrip(connection, clock),
      keys: keysOf(facts, target.database),
      findings: [],
    };
  } finally {
    connection.close();
  }
}

/** Median of a few round trips, ms. */
async function roundTrip(connection: RedisConnection, clock: Clock): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const sentAt = clock.elapsed();
    await connection.command('PING');
    times.push(clock.elapsed() - sentAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}

function keysOf({ databases }: ServerFacts, database: number): number | null {
  if (databases.is === 'refused') return null;
  return databases.value.find(one => one.database === database)?.keys ?? 0;
}
