import { measureRoundTrip, type ProbeOptions, type ServerProbe } from '../port/probe.ts';
import { POSTGRES_CATALOG, type TableEntry } from './catalog/table-entry.ts';
import { COCKROACH_CATALOG } from './cockroach/server/cockroach-catalog.ts';
import { NOT_RUN_LIVE } from './cockroach-findings.ts';
import { type PostgresTarget, parsePostgresUri } from './connection/postgres-uri.ts';
import { type PooledSession, SessionPool } from './connection/session-pool.ts';
import { isGoverned } from './postgres-capabilities.ts';
import { postgresFindings } from './postgres-findings.ts';
import { readProduct, readServerFacts, serverName } from './server/server-facts.ts';

/** Returns the server's version, distance and number of rows, estimated; changes nothing. Rejects with why it cannot be used. */
export async function probePostgres({ uri, secret, network, clock }: ProbeOptions): Promise<ServerProbe> {
  const given = parsePostgresUri(uri);
  const target = { ...given, password: secret ?? given.password };
  const pool = new SessionPool(target, { readOnly: true, network, clock });
  try {
    return await pool.use(async session => ({
      ...(await describe(session, target)),
      roundTripMs: await measureRoundTrip(clock, () => session.query('SELECT 1')),
      record: 'row' as const,
    }));
  } finally {
    await pool.close();
  }
}

async function describe(
  session: PooledSession,
  target: PostgresTarget,
): Promise<Pick<ServerProbe, 'server' | 'keys' | 'removedBy' | 'findings'>> {
  const named = await readProduct(session);
  if (named.product === 'CockroachDB') {
    const tables = await COCKROACH_CATALOG.tables(session);
    return { server: serverName(named), keys: rowsOf(tables), removedBy: 'engine', findings: [NOT_RUN_LIVE] };
  }
  const facts = await readServerFacts(session);
  const tables = await POSTGRES_CATALOG.tables(session);
  return {
    server: serverName(facts),
    keys: rowsOf(tables),
    removedBy: isGoverned(facts) ? 'sandglass' : 'engine',
    findings: postgresFindings({ facts, target, tables }),
  };
}

const rowsOf = (tables: readonly TableEntry[]) => tables.reduce((sum, { rows }) => sum + rows, 0);
