import type { Database, Statement } from 'better-sqlite3';
import { bucketAt } from './bucket-edges.ts';
import { DAY, EXPIRY_COUNT_LEVELS, HOUR, SECOND } from './count-levels.ts';

/** Reads the `expiry_counts` table, or a view of it, on any connection [X2]. */
export class ExpiryCountsReader {
  readonly #counts: Statement<
    [collection: number, level: number, from: number, to: number],
    [bucket: number, source: number, documents: number]
  >;
  readonly #firstBucket: Statement<[collection: number, level: number], number | null>;

  constructor(db: Database, table = 'expiry_counts') {
    this.#counts = db
      .prepare<[number, number, number, number], [number, number, number]>(
        `SELECT bucket, source, documents FROM ${table} WHERE collection = ? AND level = ? AND bucket >= ? AND bucket < ?`,
      )
      .raw();
    this.#firstBucket = db
      .prepare<[number, number], number | null>(
        `SELECT min(bucket) FROM ${table} WHERE collection = ? AND level = ?`,
      )
      .pluck();
  }

  /** Returns the beginning of the first hour with a count of the collection, epoch ms; null if there is none. */
  firstAt(collection: number): number | null {
    const bucket = this.#firstBucket.get(collection, EXPIRY_COUNT_LEVELS.length - 1) ?? null;
    return bucket === null ? null : bucket * HOUR;
  }

  /** Calls `add` with the counts of a collection, by source and by bucket between the ascending `edges`. */
  each(
    collection: number,
    edges: readonly number[],
    now: number,
    add: (source: number, bucket: number, documents: number) => void,
  ): void {
    const buckets = edges.length - 1;
    for (const { level, unit, ...span } of countSpans(edges, now)) {
      const [first, end] = [Math.floor(span.from / unit), Math.ceil(span.to / unit)];
      for (const [at, source, documents] of this.#counts.iterate(collection, level, first, end)) {
        const bucket = bucketAt(edges, at * unit);
        if (bucket >= 0 && bucket < buckets) add(source, bucket, documents);
      }
    }
  }
}

/**
 * Returns which level of expiry counts covers which part of the buckets: the coarsest that fits their edges exactly,
 * else the finest; and, for times before those are kept, the next coarser ones.
 */
function countSpans(edges: readonly number[], now: number) {
  const [from = 0, to = from] = [edges[0], edges.at(-1)];
  const fitting = EXPIRY_COUNT_LEVELS.findLastIndex(({ width }) => edges.every(edge => edge % width === 0));
  const spans: { level: number; unit: number; from: number; to: number }[] = [];
  let until = to;
  for (let level = Math.max(0, fitting); level < EXPIRY_COUNT_LEVELS.length && until > from; level++) {
    const { width: unit, keepMs } = EXPIRY_COUNT_LEVELS[level] ?? { width: SECOND, keepMs: DAY };
    const coarser = EXPIRY_COUNT_LEVELS[level + 1]?.width;
    const keptSince = coarser === undefined ? from : Math.ceil((now - keepMs) / coarser) * coarser;
    if (keptSince >= until) continue;
    spans.push({ level, unit, from: Math.max(from, keptSince), to: until });
    until = keptSince;
  }
  return spans;
}
