import { sqlStateOf } from '../../connection/postgres-failure.ts';
import type { Session } from '../../connection/session.ts';
import type { PooledSession } from '../../connection/session-pool.ts';
import { readProduct, type ServerFacts } from '../../server/server-facts.ts';

/** Facts about a CockroachDB cluster. */
export interface CockroachFacts extends ServerFacts {
  /** The database that is connected. */
  readonly database: string;
  /** Reads of a few seconds ago are served by the nearest replica, without locks. */
  readonly readsFollowers: boolean;
  /** `sql.ttl.job.enabled`; null: this user may not read it. */
  readonly isTtlEnabled: boolean | null;
}

export async function readCockroachFacts(session: PooledSession): Promise<CockroachFacts> {
  const named = await readProduct(session);
  const { rows } = await session.query<{ user: string; database: string }>(
    'SELECT current_user::text AS "user", current_database()::text AS database',
  );
  const [{ user, database } = { user: '', database: '' }] = rows;
  return {
    ...named,
    versionNumber: 0,
    user,
    database,
    isReplica: false,
    usesTls: session.isEncrypted,
    isPooled: false,
    autovacuum: true,
    missing: [],
    readsFollowers: (await answerOf(session, 'SELECT follower_read_timestamp()')) !== null,
    isTtlEnabled: await readIsTtlEnabled(session),
  };
}

async function readIsTtlEnabled(session: Session): Promise<boolean | null> {
  const row = await answerOf(session, 'SHOW CLUSTER SETTING sql.ttl.job.enabled');
  const value = row === null ? undefined : Object.values(row)[0];
  if (value === undefined) return null;
  return value === true || /^(t|true|on)$/i.test(String(value));
}

/** Returns the first row of an answer; null: the server refuses the statement. */
async function answerOf(session: Session, statement: string): Promise<object | null> {
  try {
    return (await session.query(statement)).rows[0] ?? null;
  } catch (error) {
    if (sqlStateOf(error) === null) throw error;
    return null;
  }
}

/** Statement that begins a transaction for counting: of a few seconds ago where the cluster serves such reads. */
export function beginCounting(facts: Pick<CockroachFacts, 'readsFollowers'> | null): string {
  return facts?.readsFollowers === true
    ? 'BEGIN READ ONLY, AS OF SYSTEM TIME follower_read_timestamp()'
    : 'BEGIN READ ONLY';
}
