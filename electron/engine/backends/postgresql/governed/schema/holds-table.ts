import { z } from 'zod';
import { HOLD_CAUSES, type HoldFacts } from '../../../../../../shared/model/hold.ts';
import type { Session } from '../../connection/session.ts';
import type { GovernedTable } from '../table-facts.ts';

/** A stop of the reaper until a person confirms [R8, R9, R10]: of one TTL index, or of the database. */
export interface TableHold {
  readonly id: string;
  /** Null: of the whole database. */
  readonly oid: number | null;
  readonly name: string | null;
  readonly cause: HoldFacts['cause'];
  /** Epoch ms. */
  readonly since: number;
  readonly by: string;
  readonly due: number;
  readonly rows: number;
  readonly durationMs: number | null;
}

const holdRow = z.object({
  id: z.string(),
  oid: z.number().nullable(),
  name: z.string().nullable(),
  cause: z.enum(HOLD_CAUSES),
  since: z.number(),
  by: z.string(),
  due: z.number(),
  rows: z.number(),
  durationMs: z.number().nullable(),
});

/** Oldest first. */
export async function readHolds(session: Session): Promise<TableHold[]> {
  const { rows } = await session.query(
    `SELECT id::text, relation::oid AS oid, name, cause, extract(epoch FROM since)::float8 * 1000 AS since, set_by AS by,
      due::float8, rows::float8, duration_ms AS "durationMs" FROM sandglass.holds ORDER BY id`,
  );
  return rows.map(row => holdRow.parse(row));
}

/** Holds what a cause concerns, unless it is held for that cause already. */
export async function placeHold(
  session: Session,
  { oid, name, cause, by, due, rows, durationMs }: Omit<TableHold, 'id' | 'since'>,
): Promise<void> {
  await session.query(
    `INSERT INTO sandglass.holds (relation, name, cause, set_by, due, rows, duration_ms)
      VALUES ($1::oid, $2, $3, $4, $5::bigint, $6::bigint, $7) ON CONFLICT DO NOTHING`,
    [oid, name, cause, by, Math.round(due), Math.round(rows), durationMs],
  );
}

/** Ends holds: the definitions that waited count as confirmed. Reapers read the definitions again. */
export async function endHolds(session: Session, ids: readonly string[]): Promise<void> {
  await session.query(
    `WITH ended AS (DELETE FROM sandglass.holds WHERE id = ANY ($1::bigint[]) RETURNING relation, name, cause),
      confirmed AS (UPDATE sandglass.definitions d SET confirmed_revision = d.revision FROM ended
        WHERE d.relation = ended.relation AND d.name = ended.name)
    UPDATE sandglass.state SET revision = revision + 1`,
    [ids],
  );
}

/** Ends the hold of a jump of the clock that was reversed. */
export async function endClockHold(session: Session): Promise<void> {
  await session.query("DELETE FROM sandglass.holds WHERE cause = 'clock forward'");
}

/** Ends the holds of a TTL index that is changed or dropped, in the running transaction. */
export async function endHoldsOf(session: Session, { oid }: GovernedTable, name: string): Promise<void> {
  await session.query('DELETE FROM sandglass.holds WHERE relation = $1::oid AND name = $2', [oid, name]);
}
