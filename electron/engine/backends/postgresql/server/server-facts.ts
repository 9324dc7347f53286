import type { Session } from '../connection/session.ts';
import type { PooledSession } from '../connection/session-pool.ts';
import { missingFunctions } from './missing-functions.ts';

/** Databases that speak PostgreSQL's protocol. */
export type ServerProduct = 'PostgreSQL' | 'CockroachDB' | 'YugabyteDB';

/** Facts about a server and the present session. */
export interface ServerFacts {
  readonly product: ServerProduct;
  /** Such as `15.17`. */
  readonly version: string;
  /** `server_version_num` of PostgreSQL: 150017. */
  readonly versionNumber: number;
  readonly user: string;
  /** A replica applies the changes of its primary, and accepts none of its own. */
  readonly isReplica: boolean;
  readonly usesTls: boolean;
  /** Whether a pooler is between this session and the server, so that the next transaction may run in another one. */
  readonly isPooled: boolean;
  readonly autovacuum: boolean;
  /** Functions that the reaper needs and the server lacks, for a person; looked for in other products than PostgreSQL. */
  readonly missing: readonly string[];
}

interface FactsRow {
  number: string | null;
  user: string;
  replica: boolean | null;
  tls: boolean | null;
  backend: number;
  autovacuum: string | null;
}

const FACTS = `
  SELECT current_setting('server_version_num', true) AS number, current_user::text AS "user",
    pg_is_in_recovery() AS replica, pg_backend_pid() AS backend, current_setting('autovacuum', true) AS autovacuum,
    (SELECT ssl FROM pg_catalog.pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls`;

/** Reads the facts. Of CockroachDB only its version: its facts are read in another way. */
export async function readServerFacts(session: PooledSession): Promise<ServerFacts> {
  const { processId } = session;
  const named = await readProduct(session);
  if (named.product === 'CockroachDB') return { ...UNKNOWN_FACTS, ...named };
  const { rows } = await session.query<FactsRow>(FACTS);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  const { number, user, replica, tls, backend, autovacuum } = row;
  return {
    ...named,
    versionNumber: Number(number ?? 0),
    user,
    isReplica: replica === true,
    usesTls: tls === true,
    // A pooler names a process of its own.
    isPooled: processId !== null && processId !== backend,
    autovacuum: autovacuum !== 'off',
    missing: named.product === 'YugabyteDB' ? await missingFunctions(session) : [],
  };
}

/** Facts of a server of which nothing but its version is known. */
const UNKNOWN_FACTS: Omit<ServerFacts, 'product' | 'version'> = {
  versionNumber: 0,
  user: '',
  isReplica: false,
  usesTls: false,
  isPooled: false,
  autovacuum: true,
  missing: [],
};

/** Reads what the server is. */
export async function readProduct(session: Session): Promise<Pick<ServerFacts, 'product' | 'version'>> {
  const { rows } = await session.query<{ version: string }>('SELECT version() AS version');
  return productOf(rows[0]?.version ?? '');
}

/**
 * Reads the text of `version()`: `PostgreSQL 15.17 (Debian …)`, `CockroachDB CCL v23.1.11 (…)`,
 * `PostgreSQL 11.2-YB-2.20.1.0-b0 on …`. @internal
 */
export function productOf(text: string): Pick<ServerFacts, 'product' | 'version'> {
  const cockroach = /^CockroachDB\b.*?\bv(\d[\w.-]*)/.exec(text);
  if (cockroach !== null) return { product: 'CockroachDB', version: cockroach[1] ?? '' };
  const yugabyte = /-YB-(\d[\d.]*\d)/.exec(text);
  if (yugabyte !== null) return { product: 'YugabyteDB', version: yugabyte[1] ?? '' };
  return { product: 'PostgreSQL', version: /^PostgreSQL (\S+)/.exec(text)?.[1] ?? '' };
}

/** Name of the server as it is shown: `PostgreSQL 15.17`. */
export function serverName({ product, version }: Pick<ServerFacts, 'product' | 'version'>): string {
  return `${product} ${version}`.trim();
}
