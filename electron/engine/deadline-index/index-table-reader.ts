import type { Database } from 'better-sqlite3';
import type { NeverReason } from '../../../shared/model/reference-time.ts';
import { COUNT_LEVELS, DAY, SECOND } from './count-levels.ts';
import { decodeReason, type Entry, encodeReason, REASONS, type Tally } from './index-entry.ts';
import { IndexTableHistogram } from './index-table-histogram.ts';
import { IndexTableStatements, ownTables } from './index-table-statements.ts';

/** Reads one index table, on any connection. */
export class IndexTableReader {
  readonly number: number;
  readonly #sql: IndexTableStatements;
  /** First parameters of each statement. */
  readonly #key: readonly number[];
  readonly #histogram: IndexTableHistogram;

  /** `statements` read the tables that contain it; by default it has two tables of its own. */
  constructor(
    db: Database,
    number: number,
    statements: IndexTableStatements = new IndexTableStatements(db, ownTables(number)),
  ) {
    this.number = number;
    this.#sql = statements;
    this.#key = statements.isShared ? [number] : [];
    this.#histogram = new IndexTableHistogram(statements, this.#key);
  }

  /** Returns the bytes of one entry's document; null if there is no such entry. */
  bytesOf(reference: number, row: number): number | null {
    return this.#sql.bytes().get(...this.#key, reference, row) ?? null;
  }

  /** Returns the earliest reference time at or after `from`; null if there is none. One seek. */
  first(from = 0): number | null {
    return this.#sql.first().get(...this.#key, Math.max(0, from)) ?? null;
  }

  last(): number | null {
    return this.#sql.last().get(...this.#key) ?? null;
  }

  /** Counts all documents with a deadline. */
  total(): Tally {
    return tally(this.#sql.sum().get(...this.#key, COUNT_LEVELS.indexOf(DAY), 0, Number.MAX_SAFE_INTEGER));
  }

  /**
   * Counts documents with a reference time before `reference`: whole buckets from the counts, the last second by a
   * scan.
   */
  before(reference: number): Tally {
    if (reference <= 0) return { documents: 0, bytes: 0 };
    let documents = 0;
    let bytes = 0;
    let from = 0;
    for (let level = COUNT_LEVELS.length - 1; level >= 0; level--) {
      const width = COUNT_LEVELS[level] ?? SECOND;
      const to = Math.floor(reference / width) * width;
      if (to > from) {
        const part = tally(this.#sql.sum().get(...this.#key, level, from / width, to / width));
        documents += part.documents;
        bytes += part.bytes;
        from = to;
      }
    }
    if (reference > from) {
      const part = tally(this.#sql.scan().get(...this.#key, from, reference));
      documents += part.documents;
      bytes += part.bytes;
    }
    return { documents, bytes };
  }

  between(from: number, to: number): Tally {
    const upTo = this.before(to);
    const below = this.before(from);
    return { documents: upTo.documents - below.documents, bytes: upTo.bytes - below.bytes };
  }

  /** Returns the documents in each of `buckets` spans of `width` ms from `from` on. */
  histogram(from: number, width: number, buckets: number): number[] {
    return this.#histogram.of(from, width, buckets);
  }

  /** Counts documents of [from, to), both whole seconds. */
  inSeconds(from: number, to: number): number {
    return tally(this.#sql.sum().get(...this.#key, 0, Math.max(0, from / SECOND), to / SECOND)).documents;
  }

  /** Whole seconds, or with a larger level minutes or hours, of [from, to) that hold `atLeast` documents. */
  fullest(
    level: number,
    from: number,
    to: number,
    atLeast: number,
  ): { reference: number; documents: number }[] {
    const width = COUNT_LEVELS[level] ?? SECOND;
    return this.#sql
      .fullest()
      .all(
        ...this.#key,
        level,
        Math.max(0, Math.ceil(from / width)),
        Math.max(0, Math.floor(to / width)),
        atLeast,
      )
      .map(([bucket, documents]) => ({ reference: bucket * width, documents }));
  }

  /** Counts documents without a deadline, by reason. */
  reasons(): { reason: NeverReason; documents: number; bytes: number }[] {
    return this.#sql
      .buckets()
      .all(...this.#key, REASONS, Number.MIN_SAFE_INTEGER, 0)
      .map(([code, documents, bytes]) => ({ reason: decodeReason(code), documents, bytes }));
  }

  /** Returns up to `limit` entries with a reference time in [from, to), in order, after `(reference, row)`. */
  entries(
    from: number,
    to: number,
    after: { reference: number; row: number } | null,
    limit: number,
  ): Entry[] {
    const start = after !== null && after.reference >= from ? after : { reference: from, row: -1 };
    return this.#sql
      .entries()
      .all(...this.#key, start.reference, start.row, to, limit)
      .map(toEntry);
  }

  /** Returns entries of documents without a deadline for this reason, in row order. */
  entriesOfReason(reason: NeverReason, afterRow: number | null, limit: number): Entry[] {
    const code = encodeReason(reason);
    return this.entries(code, code + 1, { reference: code, row: afterRow ?? -1 }, limit);
  }

  /** Like `entries`, backwards from before `(reference, row)`. */
  entriesBackwards(
    from: number,
    to: number,
    before: { reference: number; row: number } | null,
    limit: number,
  ): Entry[] {
    const start = before !== null && before.reference < to ? before : { reference: to, row: -1 };
    return this.#sql
      .entriesBack()
      .all(...this.#key, start.reference, start.row, from, limit)
      .map(toEntry);
  }
}

function toEntry([reference, row, bytes]: [number, number, number]): Entry {
  return { reference, row, bytes };
}

function tally(row: [number | null, number | null] | undefined): Tally {
  return { documents: row?.[0] ?? 0, bytes: row?.[1] ?? 0 };
}
