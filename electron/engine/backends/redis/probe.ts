import { ServerNetwork } from '../../network/server-network.ts';
import { measureRoundTrip, type ProbeOptions, type ServerProbe } from '../port/probe.ts';
import { connectMasters } from './connection/connect-masters.ts';
import { connectionLost } from './connection/redis-failure.ts';
import { parseRedisUri } from './connection/redis-uri.ts';
import { REDIS_CAPABILITIES } from './redis-capabilities.ts';
import { combinedFacts } from './server/combined-facts.ts';
import { readServerFacts, type ServerFacts, serverName } from './server/server-facts.ts';

/** Longest wait for the masters of a cluster after its first node has answered. */
const MASTERS_MS = 10_000;

/**
 * Returns the server's name and round trip time; changes nothing. Rejects with the reason if the server cannot be used.
 */
export async function probeRedis(options: ProbeOptions): Promise<ServerProbe> {
  const { uri, secret, clock, log, network = new ServerNetwork({ target: {}, clock, log }) } = options;
  const given = parseRedisUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const masters = connectMasters(target, { clock, log, network });
  try {
    await masters.firstAttempt();
    const enough = AbortSignal.timeout(MASTERS_MS);
    const servers = await masters.all(enough).catch((error: unknown) => {
      throw enough.aborted ? connectionLost('not every master can be reached') : error;
    });
    const facts = combinedFacts(await Promise.all(servers.map(({ commands }) => readServerFacts(commands))));
    return {
      server: serverName(facts, target.place.is === 'cluster' ? servers.length : null),
      roundTripMs: await measureRoundTrip(clock, () => masters.commands.command('PING')),
      keys: keysOf(facts, target.database),
      record: 'key',
      removedBy: REDIS_CAPABILITIES.removedBy,
      findings: [],
    };
  } finally {
    masters.close();
  }
}

function keysOf({ databases }: ServerFacts, database: number): number | null {
  if (databases.is === 'refused') return null;
  return databases.value.find(one => one.database === database)?.keys ?? 0;
}
