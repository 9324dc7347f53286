import type { Pause } from '../../../../../shared/model/ttl-index.ts';
import type { Session } from '../connection/session.ts';
import { readDefinitions } from '../governed/schema/definitions-table.ts';
import { readHolds, type TableHold } from '../governed/schema/holds-table.ts';
import { readSchemaState } from '../governed/schema/sandglass-schema.ts';
import { readDatabasePause } from '../governed/schema/state-table.ts';
import { readTables } from '../governed/table-facts.ts';
import { type GovernedIndex, governedIndex, type IndexFigures, readIndexFigures } from './governed-index.ts';

/** An index with its figures. */
export interface MeasuredIndex {
  readonly index: GovernedIndex;
  readonly figures: IndexFigures;
}

/** The definitions of a database and their figures, as of the last reading. */
export interface GovernanceSnapshot {
  readonly hasSchema: boolean;
  /** Pause of the whole database. */
  readonly paused: Pause | null;
  readonly holds: readonly ShownHold[];
  /** By collection, in the order in which they were made. */
  readonly indexes: ReadonlyMap<string, readonly MeasuredIndex[]>;
  /** Expirations of single rows, by the OID of their table. */
  readonly explicit: ReadonlyMap<number, ExplicitCounts>;
}

/** A hold with the name of its table; null: of the whole database. */
export interface ShownHold extends TableHold {
  readonly collection: string | null;
}

export interface ExplicitCounts {
  readonly withDeadline: number;
  readonly pinned: number;
  readonly overdue: number;
  /** Earliest expiration, epoch ms; null: all are pinned. */
  readonly earliestAt: number | null;
}

export const NO_GOVERNANCE: GovernanceSnapshot = {
  hasSchema: false,
  paused: null,
  holds: [],
  indexes: new Map(),
  explicit: new Map(),
};

/** `now`: epoch ms by the server's clock, or about that. `before`: the snapshot that was read last. */
export async function readSnapshot(
  session: Session,
  now: number,
  onInvalid: (name: string, error: unknown) => void,
  before: GovernanceSnapshot = NO_GOVERNANCE,
): Promise<GovernanceSnapshot> {
  if ((await readSchemaState(session)) !== 'present') return NO_GOVERNANCE;
  const definitions = await readDefinitions(session, onInvalid);
  const held = await readHolds(session);
  const oids = [...definitions, ...held].flatMap(({ oid }) => oid ?? []);
  const tables = await readTables(session, [...new Set(oids)]);
  const indexes = new Map<string, MeasuredIndex[]>();
  for (const definition of definitions) {
    const table = tables.get(definition.oid);
    if (table === undefined) continue;
    const index = await governedIndex(session, table, definition);
    const figures = await readIndexFigures(session, index, { now, before: figuresIn(before, index) });
    const ofTable = indexes.get(table.collection) ?? [];
    indexes.set(table.collection, [...ofTable, { index, figures }]);
  }
  const explicit = await readExplicitCounts(session);
  const holds = held.flatMap(hold => {
    const table = hold.oid === null ? null : tables.get(hold.oid);
    // A hold of a table that was dropped holds nothing.
    return table === undefined ? [] : [{ ...hold, collection: table?.collection ?? null }];
  });
  return { hasSchema: true, paused: await readDatabasePause(session), holds, indexes, explicit };
}

/** Figures of the same definition in a snapshot; null: it has none. */
function figuresIn(
  { indexes }: GovernanceSnapshot,
  { table, definition }: GovernedIndex,
): IndexFigures | null {
  const { id, revision } = definition;
  const known = indexes
    .get(table.collection)
    ?.find(({ index }) => index.definition.id === id && index.definition.revision === revision);
  return known?.figures ?? null;
}

async function readExplicitCounts(session: Session): Promise<Map<number, ExplicitCounts>> {
  const { rows } = await session.query<ExplicitCounts & { oid: number }>(
    `SELECT relation::oid AS oid, count(expires_at)::int4 AS "withDeadline",
        (count(*) - count(expires_at))::int4 AS pinned,
        count(*) FILTER (WHERE expires_at <= statement_timestamp())::int4 AS overdue,
        extract(epoch FROM min(expires_at))::float8 * 1000 AS "earliestAt"
      FROM sandglass.expirations GROUP BY relation`,
  );
  return new Map(rows.map(({ oid, ...counts }) => [oid, counts]));
}
