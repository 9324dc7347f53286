import type { Clock } from '../../../../platform/clock.ts';
import type { Session } from '../../connection/session.ts';

/** What removal would make worse, as far as the user may see it. */
interface Pressure {
  /** Latest replay of a replica behind the primary, ms; null: there is none, or it is not visible. */
  replicaLagMs: number | null;
  /** Age of the oldest transaction that keeps dead rows from being vacuumed, ms; null: none is visible. */
  oldestSnapshotMs: number | null;
  /** Dead rows of the table, and all of its rows. */
  dead: number;
  live: number;
}

/** Why and how much removal is slowed down; `share`: of the time that it may work, 0: it waits. */
export interface Throttle {
  readonly share: number;
  readonly reason: string;
}

const MOST_REPLICA_LAG_MS = 10_000;
const LONG_SNAPSHOT_MS = 300_000;
/** Dead rows that are many where no vacuum can remove them, as a share of the live ones. */
const MANY_DEAD = 0.2;
const FEW_ROWS = 100_000;
const READ_EVERY_MS = 1_000;

const PRESSURE = `
  SELECT (SELECT extract(epoch FROM max(replay_lag))::float8 * 1000 FROM pg_catalog.pg_stat_replication) AS "replicaLagMs",
    (SELECT extract(epoch FROM max(clock_timestamp() - xact_start))::float8 * 1000 FROM pg_catalog.pg_stat_activity
      WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()) AS "oldestSnapshotMs",
    coalesce(sum(s.n_dead_tup), 0)::float8 AS dead, coalesce(sum(s.n_live_tup), 0)::float8 AS live
  FROM pg_catalog.pg_stat_user_tables s
  WHERE s.relid = $1::oid OR s.relid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree($1::oid::regclass) p)`;

/** Throttles of tables in which the reaper works; read at most once a second. */
export class TableThrottles {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #read = new Map<number, { at: number; throttle: Throttle | null }>();

  constructor(session: Session, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  /** Returns the share of the time in which removal from a table may work, 0 to 1. */
  async share(oid: number): Promise<number> {
    const known = this.#read.get(oid);
    const at = this.#clock.elapsed();
    if (known !== undefined && at - known.at < READ_EVERY_MS) return known.throttle?.share ?? 1;
    const { rows } = await this.#session.query<Pressure>(PRESSURE, [oid]);
    const throttle = rows[0] === undefined ? null : throttleOf(rows[0]);
    this.#read.set(oid, { at, throttle });
    return throttle?.share ?? 1;
  }

  /** Those in effect as of the last seconds. */
  get active(): Throttle[] {
    const now = this.#clock.elapsed();
    return [...this.#read.values()].flatMap(({ at, throttle }) =>
      throttle === null || now - at > 2 * READ_EVERY_MS ? [] : [throttle],
    );
  }
}

/**
 * Returns why removal should be slower; null: nothing is seen.
 * @internal
 */
export function throttleOf({ replicaLagMs, oldestSnapshotMs, dead, live }: Pressure): Throttle | null {
  if (replicaLagMs !== null && replicaLagMs > MOST_REPLICA_LAG_MS)
    return { share: 0, reason: `A replica is ${seconds(replicaLagMs)} behind; removal waits for it.` };
  const isOld = oldestSnapshotMs !== null && oldestSnapshotMs > LONG_SNAPSHOT_MS;
  if (isOld && dead > FEW_ROWS && dead > live * MANY_DEAD)
    return {
      share: 0.25,
      reason: `A transaction has been open for ${seconds(oldestSnapshotMs)}, and ${Math.round(dead).toLocaleString('en')} dead rows cannot be vacuumed; removal is slower.`,
    };
  return null;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000).toLocaleString('en')} s`;
}
