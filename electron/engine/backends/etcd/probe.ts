import { measureRoundTrip, type ProbeOptions, type ServerProbe } from '../port/probe.ts';
import { EtcdClient } from './connection/etcd-client.ts';
import { parseEtcdUri } from './connection/etcd-uri.ts';
import { ETCD_CAPABILITIES } from './etcd-capabilities.ts';
import { etcdFindings } from './etcd-findings.ts';
import { endOfPrefix, startOfPrefix } from './keys/grouping.ts';
import { countKeys } from './keys/key-range.ts';
import { readClusterFacts, readServerFacts } from './server/server-facts.ts';

/**
 * Returns the server's version, round trip time and number of keys; changes nothing. Rejects with the reason if the
 * server cannot be used.
 */
export async function probeEtcd({ uri, secret, network, clock, log }: ProbeOptions): Promise<ServerProbe> {
  const given = parseEtcdUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const client = new EtcdClient({ target, network, clock, log });
  const prefix = Buffer.from(target.prefix);
  try {
    const facts = await readServerFacts(client);
    const roundTripMs = await measureRoundTrip(clock, () => readServerFacts(client));
    return {
      server: `etcd ${facts.version}`,
      roundTripMs,
      keys: await countKeys(client, startOfPrefix(prefix), endOfPrefix(prefix)),
      record: 'key',
      removedBy: ETCD_CAPABILITIES.removedBy,
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
