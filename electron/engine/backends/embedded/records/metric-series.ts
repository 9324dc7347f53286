import type { SeriesPoint } from '../../../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../../../shared/model/series.ts';
import type { MetricSeries, SeriesQuery } from '../../backend.ts';
import type { Database, Statement } from '../file/database.ts';
import type { Reader } from '../read/reader.ts';
import { HOUR, MINUTE } from '../tables/count-levels.ts';
import type { Writer } from '../write/writer.ts';

/** A day's chart, and an hour to look back from its beginning. */
const KEEP_MS = 25 * HOUR;
const MINUTES_AN_HOUR = HOUR / MINUTE;
/** The whole store has this number; collections have larger ones. */
const STORE = 0;

const COLUMNS = [
  'documents',
  'withDeadline',
  'overdue',
  'written',
  'removed',
  'changed',
  'quarantined',
  'lagP50Ms',
  'lagP99Ms',
  'lagMaxMs',
  'batchMaxMs',
] as const satisfies readonly (keyof SeriesPoint)[];
const SELECT = `SELECT minute * ${MINUTE} AS at, ${COLUMNS.join(', ')} FROM metric_series WHERE collection = ?`;

/** Figures by the minute, kept for 25 hours [M1]. They are no change of the store, so they make no revision. */
export class EmbeddedSeries implements MetricSeries {
  readonly #writer: Writer;
  readonly #sql: {
    one: Statement<[number, number], SeriesPoint>;
    replace: Statement<[SeriesPoint & { collection: number; minute: number }]>;
    prune: Statement<[number, number]>;
  };

  constructor(writer: Writer) {
    const { db } = writer;
    this.#writer = writer;
    this.#sql = {
      one: db.prepare(`${SELECT} AND minute = ?`),
      replace: db.prepare(
        `INSERT OR REPLACE INTO metric_series (collection, minute, ${COLUMNS.join(', ')})
         VALUES (@collection, @minute, ${COLUMNS.map(name => `@${name}`).join(', ')})`,
      ),
      prune: db.prepare('DELETE FROM metric_series WHERE collection = ? AND minute < ?'),
    };
  }

  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void {
    const { catalog } = this.#writer;
    this.#writer.refuseWhileDiskFull();
    this.#writer.maintain(() => {
      for (const { collection, point } of points) {
        const id = collection === null ? STORE : catalog.collections.get(collection)?.id;
        // Dropped since it was measured.
        if (id === undefined) continue;
        const minute = Math.floor(point.at / MINUTE);
        const before = this.#sql.one.get(id, minute);
        const whole = before === undefined ? point : mergePoints(before, point);
        this.#sql.replace.run({ ...whole, collection: id, minute });
        // Once an hour, and not of all in the same minute.
        if (minute % MINUTES_AN_HOUR === id % MINUTES_AN_HOUR)
          this.#sql.prune.run(id, minute - KEEP_MS / MINUTE);
      }
    });
  }
}

/** Oldest first. Throws COLLECTION_NOT_FOUND. Call inside a read transaction. */
export function readSeries(reader: Reader, { collection, from, to }: SeriesQuery): SeriesPoint[] {
  const id = collection === undefined ? STORE : reader.collection(collection).id;
  const db: Database = reader.db;
  return db
    .prepare<[number, number, number], SeriesPoint>(
      `${SELECT} AND minute >= ? AND minute <= ? ORDER BY minute`,
    )
    .all(id, Math.ceil(from / MINUTE), Math.floor(to / MINUTE));
}
