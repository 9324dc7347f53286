import { measureRoundTrip, type ProbeOptions, type ServerProbe } from '../port/probe.ts';
import { readTableEntries } from './catalog/table-entry.ts';
import { parsePostgresUri } from './connection/postgres-uri.ts';
import { SessionPool } from './connection/session-pool.ts';
import { isGoverned } from './postgres-capabilities.ts';
import { postgresFindings } from './postgres-findings.ts';
import { readServerFacts, serverName } from './server/server-facts.ts';

/** Returns the server's version, distance and number of rows, estimated; changes nothing. Rejects with why it cannot be used. */
export async function probePostgres({ uri, secret, network, clock }: ProbeOptions): Promise<ServerProbe> {
  const given = parsePostgresUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const pool = new SessionPool(target, { readOnly: true, network, clock });
  try {
    return await pool.use(async session => {
      const facts = await readServerFacts(session);
      const tables = await readTableEntries(session);
      return {
        server: serverName(facts),
        roundTripMs: await measureRoundTrip(clock, () => session.query('SELECT')),
        keys: tables.reduce((sum, { rows }) => sum + rows, 0),
        record: 'row',
        removedBy: isGoverned(facts) ? 'sandglass' : 'engine',
        findings: postgresFindings({ facts, target, tables }),
      };
    });
  } finally {
    await pool.close();
  }
}
