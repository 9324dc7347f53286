import {
  type DroppedIndex,
  type PolicyChange,
  policyChange,
} from '../../../../../../shared/contract/ttl-indexes.ts';
import type { Session } from '../../connection/session.ts';
import type { GovernedTable } from '../table-facts.ts';

export interface RecordedChange {
  name: string;
  by: string;
  change: PolicyChange['change'];
  /** Stored forms, as JSON text. */
  before: string | null;
  after: string | null;
}

/** Records a change of a definition, in the running transaction [X5]. */
export async function recordChange(
  session: Session,
  { oid }: GovernedTable,
  { name, by, change, before, after }: RecordedChange,
): Promise<void> {
  await session.query(
    `INSERT INTO sandglass.history (relation, name, by, change, before, after)
      VALUES ($1::oid, $2, $3, $4, $5, $6)`,
    [oid, name, by, change, before, after],
  );
}

/** Returns the history of a TTL index, latest first. */
export async function readHistory(
  session: Session,
  { oid }: GovernedTable,
  name: string,
): Promise<PolicyChange[]> {
  const { rows } = await session.query(
    `SELECT id::float8, name AS index, extract(epoch FROM at)::float8 * 1000 AS at, by, change, before, after
      FROM sandglass.history WHERE relation = $1::oid AND name = $2 ORDER BY id DESC`,
    [oid, name],
  );
  return rows.map(row => policyChange.parse(row));
}

const MOST_DROPPED = 100;

/** Returns the dropped indexes of a table whose name is not in use, latest first. */
export async function readDropped(session: Session, { oid }: GovernedTable): Promise<DroppedIndex[]> {
  const { rows } = await session.query<DroppedIndex>(
    `SELECT last.name, extract(epoch FROM last.at)::float8 * 1000 AS at, last.by
      FROM (SELECT DISTINCT ON (h.name) h.* FROM sandglass.history h WHERE h.relation = $1::oid
        ORDER BY h.name, h.id DESC) AS last
      WHERE last.change = 'drop' ORDER BY last.id DESC LIMIT ${MOST_DROPPED}`,
    [oid],
  );
  return rows;
}
