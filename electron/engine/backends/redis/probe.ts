import { measureRoundTrip, type ProbeOptions, type ServerProbe } from '../port/probe.ts';
import { RedisConnection } from './connection/redis-connection.ts';
import { parseRedisUri } from './connection/redis-uri.ts';
import { REDIS_CAPABILITIES } from './redis-capabilities.ts';
import { readServerFacts, type ServerFacts, serverName } from './server/server-facts.ts';

/**
 * Returns the server's name and round trip time; changes nothing. Rejects with the reason if the server cannot be used.
 */
export async function probeRedis({ uri, secret, network, clock, log }: ProbeOptions): Promise<ServerProbe> {
  const given = parseRedisUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const connection = await RedisConnection.open({ target, log, network, name: 'sandglass-test' });
  try {
    const facts = await readServerFacts(connection);
    return {
      server: serverName(facts),
      roundTripMs: await measureRoundTrip(clock, () => connection.command('PING')),
      keys: keysOf(facts, target.database),
      record: 'key',
      removedBy: REDIS_CAPABILITIES.removedBy,
      findings: [],
    };
  } finally {
    connection.close();
  }
}

function keysOf({ databases }: ServerFacts, database: number): number | null {
  if (databases.is === 'refused') return null;
  return databases.value.find(one => one.database === database)?.keys ?? 0;
}
