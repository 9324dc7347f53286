import { quoteName, quoteTable, type TableName } from '../../connection/quoting.ts';
import type { Session } from '../../connection/session.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { GovernedTable } from '../table-facts.ts';

/** A table, or one of its partitions. */
interface Relation {
  readonly oid: number;
  readonly name: TableName;
  readonly isPartitioned: boolean;
}

export interface BuildSteps {
  /** Called before each statement; throws to end the build. */
  check(): void;
  /** Called when the indexes of so many tables that store rows are built. */
  onBuilt(leaves: number): void;
  /** Called when no index is built any more; indexes may still be dropped. Resolves when none is cancelled any more. */
  onEnded(): Promise<void>;
}

/**
 * Creates the index that gives the deadlines of a table in order, while others write. PostgreSQL has no CONCURRENTLY for a
 * partitioned table: each partition gets an index of its own, which is then attached. What was created so far is dropped if it
 * fails. Call it outside of a transaction.
 */
export async function buildIndex(
  session: Session,
  table: GovernedTable,
  deadlines: DeadlineSql,
  { check, onBuilt, onEnded }: BuildSteps,
): Promise<void> {
  const created: string[] = [];
  let leaves = 0;

  async function build(relation: Relation): Promise<string> {
    const { oid, name, isPartitioned } = relation;
    const index = await freeName(session, name);
    const text = quoteTable({ schema: name.schema, table: index });
    check();
    created.push(text);
    if (!isPartitioned) {
      await session.query(
        `CREATE INDEX CONCURRENTLY ${quoteName(index)} ON ${quoteTable(name)} (${deadlines.indexed})`,
      );
      leaves += 1;
      onBuilt(leaves);
      return text;
    }
    await session.query(
      `CREATE INDEX ${quoteName(index)} ON ONLY ${quoteTable(name)} (${deadlines.indexed})`,
    );
    for (const partition of await readPartitionsOf(session, oid)) {
      const part = await build(partition);
      await session.query(`ALTER INDEX ${text} ATTACH PARTITION ${part}`);
    }
    return text;
  }

  try {
    await build(table);
  } catch (error) {
    await onEnded();
    // The error of the build is the cause; an index that cannot be dropped is invalid, and serves nothing.
    await dropIndexes(session, created).catch(() => {});
    throw error;
  }
}

/** An index of a partitioned table is dropped with those that were attached to it. */
async function dropIndexes(session: Session, created: readonly string[]): Promise<void> {
  await session.query("SET lock_timeout = '5s'");
  for (const text of created) await session.query(`DROP INDEX IF EXISTS ${text}`);
}

/** Returns an unused name in the schema of the table, which an index has too. */
async function freeName(session: Session, { schema, table }: TableName): Promise<string> {
  // 63 bytes at most; a letter has up to 4.
  const stem = `${[...table].slice(0, 12).join('')}_ttl`;
  const { rows } = await session.query<{ name: string }>(
    `SELECT name FROM (SELECT $2 || CASE WHEN n = 1 THEN '' ELSE '_' || n END AS name, n FROM generate_series(1, 10000) n) AS names
      WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
        WHERE s.nspname = $1 AND c.relname = name) ORDER BY n LIMIT 1`,
    [schema, stem],
  );
  return rows[0]?.name ?? stem;
}

async function readPartitionsOf(session: Session, oid: number): Promise<Relation[]> {
  const { rows } = await session.query<{ oid: number; schema: string; table: string; kind: string }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS "table", c.relkind::text AS kind
      FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE i.inhparent = $1::oid AND NOT i.inhdetachpending ORDER BY c.relname`,
    [oid],
  );
  return rows.map(({ kind, schema, table, ...row }) => ({
    ...row,
    name: { schema, table },
    isPartitioned: kind === 'p',
  }));
}

/** How far the statement of a server process is that creates an index. */
export interface BuildProgress {
  /** 0 to 1. */
  readonly share: number;
  /** It waits until older transactions of others have ended. */
  readonly waits: boolean;
}

/** Begin of each phase, and its length, as shares of the whole: by the time that they took for a table of a million rows. */
const PHASES: readonly (readonly [phase: string, from: number, length: number])[] = [
  ['building index: scanning table', 0, 0.4],
  ['building index: sorting live tuples', 0.4, 0.05],
  ['building index: loading tuples in tree', 0.45, 0.15],
  ['waiting for writers before validation', 0.6, 0],
  ['index validation: scanning index', 0.6, 0.1],
  ['index validation: sorting tuples', 0.7, 0],
  ['index validation: scanning table', 0.7, 0.3],
  ['waiting for old snapshots', 1, 0],
  ['waiting for readers', 1, 0],
];

/** Returns the progress of a server process; null: it creates no index at present. */
export async function readBuildProgress(session: Session, processId: number): Promise<BuildProgress | null> {
  const { rows } = await session.query<{ phase: string; part: number | null }>(
    `SELECT phase, coalesce(blocks_done::float8 / nullif(blocks_total, 0), tuples_done::float8 / nullif(tuples_total, 0)) AS part
      FROM pg_catalog.pg_stat_progress_create_index WHERE pid = $1`,
    [processId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const [, from, length] = PHASES.find(([phase]) => phase === row.phase) ?? ['', 0, 0];
  return { share: from + length * Math.min(1, row.part ?? 0), waits: row.phase.startsWith('waiting') };
}
