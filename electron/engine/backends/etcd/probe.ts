import type { EngineFinding } from '../../../../shared/contract/capabilities.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { EtcdClient } from './connection/etcd-client.ts';
import { parseEtcdUri } from './connection/etcd-uri.ts';
import { etcdFindings } from './etcd-findings.ts';
import { endOfPrefix, startOfPrefix } from './keys/grouping.ts';
import { countKeys } from './keys/key-range.ts';
import { readClusterFacts, readServerFacts } from './server/server-facts.ts';

export interface ProbeOptions {
  uri: string;
  secret: string | undefined;
  clock: Clock;
  log: Logger;
}

export interface ServerProbe {
  server: string;
  roundTripMs: number;
  keys: number;
  findings: EngineFinding[];
}

const ROUND_TRIPS = 3;

/** Returns the server's version, distance and number of keys; changes nothing. Rejects with why it cannot be used. */
export async function probeEtcd({ uri, secret, clock, log }: ProbeOptions): Promise<ServerProbe> {
  const given = parseEtcdUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const client = new EtcdClient({ target, clock, log });
  const prefix = Buffer.from(target.prefix);
  try {
    const facts = await readServerFacts(client);
    const roundTripMs = await roundTrip(client, clock);
    return {
      server: `etcd ${facts.version}`,
      roundTripMs,
      keys: await countKeys(client, startOfPrefix(prefix), endOfPrefix(prefix)),
      findings: etcdFindings({
        facts,
        cluster: await readClusterFacts(client),
        summaries: [],
        largestLeases: [],
        latenessMs: 0,
        leaderChange: null,
      }),
    };
  } finally {
    client.close();
  }
}

/** Median of a few round trips, ms. */
async function roundTrip(client: EtcdClient, clock: Clock): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < ROUND_TRIPS; i++) {
    const sentAt = clock.elapsed();
    await readServerFacts(client);
    times.push(clock.elapsed() - sentAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0;
}
