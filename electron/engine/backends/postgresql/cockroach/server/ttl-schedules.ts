import type { Session } from '../../connection/session.ts';
import { rowsOf } from './ttl-jobs.ts';

/** The schedule by which the TTL job of a table runs. */
export interface TtlSchedule {
  readonly id: string;
  /** OID of the table. */
  readonly oid: number;
  readonly isPaused: boolean;
  /** Epoch ms; null: paused. */
  readonly nextRunAt: number | null;
  /** Last error of the schedule; null: none. */
  readonly state: string | null;
  readonly owner: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

export interface ScheduleRow {
  id: string;
  label: string;
  status: string;
  next: number | null;
  state: string | null;
  owner: string;
  created: number;
}

/** Returns the schedules of TTL jobs; null: this user may not read them. */
export async function readTtlSchedules(session: Session): Promise<TtlSchedule[] | null> {
  const rows = await rowsOf<ScheduleRow>(
    session,
    `WITH x AS (SHOW SCHEDULES)
      SELECT id::text AS id, label, schedule_status AS status, extract(epoch FROM next_run)::float8 * 1000 AS next,
        state, owner::text AS owner, extract(epoch FROM created)::float8 * 1000 AS created
      FROM x WHERE label LIKE 'row-level-ttl%'`,
  );
  return rows === null ? null : rows.flatMap(scheduleOf);
}

/** Labels are `row-level-ttl: events [173]`, and `row-level-ttl-173` until version 22.1. @internal */
export function scheduleOf({ id, label, status, next, state, owner, created }: ScheduleRow): TtlSchedule[] {
  const [, oid] = /^row-level-ttl(?:: .*\[|-)(\d+)\]?$/s.exec(label) ?? [];
  if (oid === undefined) return [];
  const isPaused = status === 'PAUSED';
  return [{ id, oid: Number(oid), isPaused, nextRunAt: next, state, owner, createdAt: created }];
}
