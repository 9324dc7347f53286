import type { Database, Statement } from 'better-sqlite3';
import type { SeriesPoint } from '../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../shared/model/minute-figures.ts';
import { HOUR, MINUTE } from '../deadline-index/count-levels.ts';

/** How long points are kept: for a chart of a day, and the hour before its beginning. */
const KEEP_MS = 25 * HOUR;
const MINUTES_AN_HOUR = HOUR / MINUTE;
/** Series number of the whole store; collections have larger numbers. */
export const STORE_SERIES = 0;

/** Column of each field. */
const COLUMNS = {
  documents: 'documents',
  withDeadline: 'with_deadline',
  overdue: 'overdue',
  written: 'written',
  removed: 'removed',
  changed: 'changed',
  quarantined: 'quarantined',
  lagP50Ms: 'lag_p50_ms',
  lagP99Ms: 'lag_p99_ms',
  lagMaxMs: 'lag_max_ms',
  batchMaxMs: 'batch_max_ms',
} as const satisfies Record<Exclude<keyof SeriesPoint, 'at'>, string>;
const FIELDS = Object.entries(COLUMNS);
const SELECT = `SELECT minute * ${MINUTE} AS at, ${FIELDS.map(([field, column]) => `${column} AS ${field}`).join(', ')}
  FROM metric_series WHERE collection = ?`;

/** The `metric_series` table: figures by the minute since 1970 [M1]. */
export class MetricSeriesTable {
  readonly #at: Statement<[number, number], SeriesPoint>;
  readonly #put: Statement<[SeriesPoint & { collection: number; minute: number }]>;
  readonly #deleteBefore: Statement<[number, number]>;
  readonly #deleteSome: Statement<[number, number]>;

  constructor(db: Database) {
    this.#at = db.prepare(`${SELECT} AND minute = ?`);
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO metric_series (collection, minute, ${Object.values(COLUMNS).join(', ')})
       VALUES (@collection, @minute, ${FIELDS.map(([field]) => `@${field}`).join(', ')})`,
    );
    this.#deleteBefore = db.prepare('DELETE FROM metric_series WHERE collection = ? AND minute < ?');
    this.#deleteSome = db.prepare('DELETE FROM metric_series WHERE collection = ? LIMIT ?');
  }

  /**
   * Adds a point to those of a collection; a minute that exists already is added to. Deletes points that are too old.
   */
  add(collection: number, point: SeriesPoint): void {
    const minute = Math.floor(point.at / MINUTE);
    const before = this.#at.get(collection, minute);
    const whole = before === undefined ? point : mergePoints(before, point);
    this.#put.run({ ...whole, collection, minute });
    // Once an hour, for each collection in another minute.
    if (minute % MINUTES_AN_HOUR === collection % MINUTES_AN_HOUR)
      this.#deleteBefore.run(collection, minute - KEEP_MS / MINUTE);
  }

  /** Deletes up to `most` rows of a collection. Returns how many. */
  deleteSomeOfCollection(collection: number, most: number): number {
    return this.#deleteSome.run(collection, most).changes;
  }
}

/** Returns the points of a collection whose minute begins in the span, oldest first. */
export function readMetricSeries(
  db: Database,
  collection: number,
  { from, to }: { from: number; to: number },
): SeriesPoint[] {
  return db
    .prepare<[number, number, number], SeriesPoint>(
      `${SELECT} AND minute >= ? AND minute <= ? ORDER BY minute`,
    )
    .all(collection, Math.ceil(from / MINUTE), Math.floor(to / MINUTE));
}
