import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../../shared/model/series.ts';
import type { MetricSeries, SeriesQuery } from '../backend.ts';
import type { Database, Statement } from './database.ts';
import { HOUR, MINUTE } from './levels.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** A day's chart, and an hour to look back from its beginning. */
const KEEP_MS = 25 * HOUR;
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
    nextCollection: Statement<[number], number | null>;
  };
  #prunedAt = 0;

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
      nextCollection: db
        .prepare<[number], number | null>('SELECT min(collection) FROM metric_series WHERE collection > ?')
        .pluck(),
    };
  }

  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void {
    const { catalog, clock } = this.#writer;
    this.#writer.maintain(() => {
      for (const { collection, point } of points) {
        const id = collection === null ? STORE : catalog.collections.get(collection)?.id;
        // Dropped since it was measured.
        if (id === undefined) continue;
        const minute = Math.floor(point.at / MINUTE);
        const before = this.#sql.one.get(id, minute);
        const whole = before === undefined ? point : mergePoints(before, point);
        this.#sql.replace.run({ ...whole, collection: id, minute });
      }
      this.#prune(clock.now());
    });
  }

  /** Once an hour, also what is left of collections that are gone. */
  #prune(now: number): void {
    if (Math.abs(now - this.#prunedAt) < HOUR) return;
    this.#prunedAt = now;
    const oldest = Math.floor((now - KEEP_MS) / MINUTE);
    for (
      let collection: number | null = STORE;
      collection !== null;
      collection = this.#sql.nextCollection.get(collection) ?? null
    )
      this.#sql.prune.run(collection, oldest);
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
