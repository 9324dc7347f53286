import type { Database } from 'better-sqlite3';
import { MINUTE } from '../deadline-index/count-levels.ts';
import { ExpiryCountsTable } from '../deadline-index/expiry-counts.ts';
import { MetricSeriesTable } from '../metric-series/metric-series-table.ts';
import type { MirroredCollections } from './collections-table.ts';
import { type DepartedKey, Departures } from './departures-table.ts';

/** The only source of expiries in `expiry_counts`. */
const SOURCE = 0;
/** Rows of old expiry counts that are deleted at once. */
const COUNTS_A_STEP = 500;
/** Collections without keys and history that are deleted at once. */
const COLLECTIONS_A_STEP = 100;
/** More points than a collection can have, at one a minute. */
const POINTS_OF_A_COLLECTION = 10_000;

/** History of the keys of a mirror: departed ones, counts of expiries, and figures per minute. */
export class MirrorHistory {
  readonly departures: Departures;
  readonly metricSeries: MetricSeriesTable;
  readonly #expiryCounts: ExpiryCountsTable;
  readonly #collections: MirroredCollections;
  #prunedMinute = 0;

  constructor(db: Database, collections: MirroredCollections) {
    this.departures = new Departures(db);
    this.metricSeries = new MetricSeriesTable(db);
    this.#expiryCounts = new ExpiryCountsTable(db);
    this.#collections = collections;
  }

  /** Records departed keys, and counts those that expired in the second in which they departed. */
  add(departed: readonly DepartedKey[]): void {
    this.departures.add(departed);
    /** Expired keys by collection and second. */
    const expired = new Map<number, Map<number, number>>();
    for (const { collection, at, cause } of departed) {
      if (cause !== 'expired') continue;
      const seconds = expired.get(collection) ?? new Map<number, number>();
      expired.set(collection, seconds);
      const second = Math.floor(at / 1_000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    for (const [collection, seconds] of expired)
      for (const [second, keys] of seconds) this.#expiryCounts.add(collection, SOURCE, second * 1_000, keys);
  }

  /** Deletes history that is no longer kept, up to a number of rows per call. */
  prune(now: number): void {
    this.departures.prune(now);
    const minute = Math.floor(now / MINUTE);
    if (minute === this.#prunedMinute) return;
    for (const id of this.#collections.deleteAbandoned(COLLECTIONS_A_STEP))
      this.metricSeries.deleteSomeOfCollection(id, POINTS_OF_A_COLLECTION);
    if (!this.#expiryCounts.prune(now, COUNTS_A_STEP)) this.#prunedMinute = minute;
  }
}
