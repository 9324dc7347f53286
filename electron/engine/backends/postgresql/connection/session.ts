/**
 * One connection to a database, in which statements run one after another. Values are always parameters (`$1`); identifiers
 * are quoted with `quoteName`.
 *
 * A result has `bool` as boolean, `int2`, `int4`, `oid`, `float4` and `float8` as number, `json` and `jsonb` parsed, null as
 * null, and every other type as the text that the server writes: a `bigint` is cast to `float8` where digits may be lost, and
 * an instant is `extract(epoch from …)::float8 * 1000`. The session's time zone is UTC, its dates are ISO.
 */
export interface Session {
  /** Returns the result of the last one, if there are several statements. Rejects with a typed error; see `postgresFailure`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<QueryResult<Row>>;
}

export interface QueryOptions {
  /** The statement is parsed and planned once in a session: for one that is repeated often. A pooler must not be between. */
  readonly isPrepared?: boolean;
}

export interface QueryResult<Row> {
  readonly rows: Row[];
  /** Rows read or changed; 0 for other statements. */
  readonly rowCount: number;
}

/** A session of its own, as the reaper's, which holds advisory locks and is no part of a pool. */
export interface OwnSession extends Session {
  /** Process that the server named when the session began; a pooler names one of its own. Null: it named none. */
  readonly processId: number | null;
  /** Calls `listener` once, when the connection is lost or closed. Returns the function that unsubscribes. */
  onEnd(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Runs `work` in a transaction that is rolled back if it rejects. `begin` may have further statements after BEGIN, which take no
 * round trip of their own; `work` gets the rows of the last one.
 */
export async function inTransaction<Result>(
  session: Session,
  work: (begun: Record<string, unknown>[]) => Promise<Result>,
  begin = 'BEGIN',
): Promise<Result> {
  let result: Result;
  try {
    const { rows } = await session.query(begin);
    result = await work(rows);
  } catch (error) {
    // Of the two errors the first one is the cause; a lost connection rolls back by itself.
    await session.query('ROLLBACK').catch(() => {});
    throw error;
  }
  await session.query('COMMIT');
  return result;
}
