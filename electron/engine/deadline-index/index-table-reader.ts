import type { Database } from 'better-sqlite3';
import type { NeverReason } from '../../../shared/model/reference-time.ts';
import { COUNT_LEVELS, DAY, SECOND } from './count-levels.ts';
import { decodeReason, type Entry, encodeReason, merged, REASONS, type Tally } from './index-entry.ts';
import { IndexTableHistogram } from './index-table-histogram.ts';
import { IndexTableStatements, ownTables } from './index-table-statements.ts';
import { lateEntriesOf } from './late-entries.ts';
import { preparedOnUse } from './prepared-on-use.ts';

/** Entries that the first scan of a part of a second reads; each further one reads eight times as many. */
const FIRST_SCAN = 512;

/** Tells which index tables have expired entries that are not deleted yet. */
export interface ExpiredMarks {
  /** Returns the reference time up to which the entries of an index table are expired, epoch ms; -1: none is. */
  throughOf(table: number): number;
  /** Returns whether an index table may have late entries: those of an interval are not all deleted or put back. */
  hasInterval(table: number): boolean;
}

const NOTHING: Tally = { documents: 0, bytes: 0 };

/** Entries up to a reference time, and by count level those of them that are in the bucket with it. */
export interface CountedThrough extends Tally {
  readonly byLevel: readonly Tally[];
}

/**
 * Reads one index table, on any connection. Entries up to its mark are expired: they, and their counts, are left out. A
 * count of a bucket that the mark divides has only what is above it. Living entries up to the mark are late ones, which
 * are in a table of their own with counts of their own; while these are put back, some of them are above the mark.
 */
export class IndexTableReader {
  readonly number: number;
  readonly #marks: ExpiredMarks | null;
  /** Reads the late entries alone. */
  readonly #late: () => IndexTableReader;
  readonly #sql: IndexTableStatements;
  /** First parameters of each statement. */
  readonly #key: readonly number[];
  readonly #histogram: IndexTableHistogram;

  /**
   * `statements` read the tables that contain it; by default it has two tables of its own. `marks`: null for tables
   * without expired entries.
   */
  constructor(
    db: Database,
    number: number,
    marks: ExpiredMarks | null,
    statements: IndexTableStatements = new IndexTableStatements(db, ownTables(number)),
  ) {
    this.number = number;
    this.#marks = marks;
    this.#late = preparedOnUse(
      () => new IndexTableReader(db, number, null, new IndexTableStatements(db, lateEntriesOf(number))),
    );
    this.#sql = statements;
    this.#key = statements.isShared ? [number] : [];
    this.#histogram = new IndexTableHistogram(statements, this.#key, () => this.through);
  }

  /** The mark: entries up to this reference time are expired, epoch ms; -1: none is. */
  get through(): number {
    return this.#marks?.throughOf(this.number) ?? -1;
  }

  protected prepareLate(): void {
    this.#late().first();
  }

  /** Whether it has late entries. */
  get hasLate(): boolean {
    return this.mayHaveLate && this.#late().first() !== null;
  }

  /** Whether it has late entries or will have those that are written now. Costs nothing. */
  get mayHaveLate(): boolean {
    return this.#marks?.hasInterval(this.number) ?? false;
  }

  /** Whether a living entry with this reference time is a late one for sure; above the mark, it is one or not. */
  protected isLate(reference: number): boolean {
    return reference >= 0 && reference <= this.through;
  }

  /** Returns whether it is a late entry. */
  isLateEntry(reference: number, row: number): boolean {
    return this.mayHaveLate && this.#late().bytesOf(reference, row) !== null;
  }

  /** Returns the bytes of one entry's document; null if there is no such entry. */
  bytesOf(reference: number, row: number): number | null {
    const bytes = this.isLate(reference) ? null : this.#sql.bytes().get(...this.#key, reference, row);
    return bytes ?? (this.mayHaveLate ? this.#late().bytesOf(reference, row) : null);
  }

  /** Returns the earliest reference time at or after `from`; null if there is none. One seek, or two with late entries. */
  first(from = 0): number | null {
    const { through } = this;
    const late = this.mayHaveLate ? this.#late().first(from) : null;
    if (late !== null && late <= through) return late;
    const first = this.#sql.first().get(...this.#key, Math.max(0, from, through + 1)) ?? null;
    return first !== null && late !== null ? Math.min(first, late) : (first ?? late);
  }

  last(): number | null {
    const found = this.#sql.last().get(...this.#key) ?? null;
    const last = found !== null && found > this.through ? found : null;
    const late = this.mayHaveLate ? this.#late().last() : null;
    return last !== null && late !== null ? Math.max(last, late) : (last ?? late);
  }

  /** Counts all documents with a deadline. */
  total(): Tally {
    const { through } = this;
    const from = through < 0 ? 0 : Math.floor(through / DAY);
    const counted = tally(
      this.#sql.sum().get(...this.#key, COUNT_LEVELS.indexOf(DAY), from, Number.MAX_SAFE_INTEGER),
    );
    return this.mayHaveLate ? plus(counted, this.#late().total()) : counted;
  }

  /**
   * Counts documents with a reference time before `reference`: whole buckets from the counts, the last second by a
   * scan.
   */
  before(reference: number): Tally {
    const counted = this.#aboveMarkBefore(reference);
    return this.mayHaveLate ? plus(counted, this.#late().before(reference)) : counted;
  }

  /** Like `before`, without late entries. */
  #aboveMarkBefore(reference: number): Tally {
    if (reference <= this.through + 1) return NOTHING;
    const counted = this.#wholeBucketsBefore(reference).reduce(plus, NOTHING);
    const second = Math.floor(reference / SECOND) * SECOND;
    return reference === second ? counted : plus(counted, this.#inSecond(second, reference));
  }

  /**
   * Counts the entries above the mark up to a reference time, without late ones. `byLevel` has, by count level, those of
   * them in the bucket with that reference time: what it loses if they are taken.
   */
  countThrough(reference: number): CountedThrough {
    if (reference <= this.through) return { ...NOTHING, byLevel: COUNT_LEVELS.map(() => NOTHING) };
    let counted = this.#inSecond(Math.floor(reference / SECOND) * SECOND, reference + 1);
    const byLevel: Tally[] = [];
    for (const whole of this.#wholeBucketsBefore(reference)) {
      byLevel.push(counted);
      counted = plus(counted, whole);
    }
    return { ...counted, byLevel };
  }

  /**
   * Counts what is above the mark before the second of a reference time: by level, in whole buckets of it that are in no
   * whole bucket of a coarser level.
   */
  #wholeBucketsBefore(reference: number): Tally[] {
    const { through } = this;
    const counted = COUNT_LEVELS.map(() => NOTHING);
    let from = 0;
    for (let level = COUNT_LEVELS.length - 1; level >= 0; level--) {
      const width = COUNT_LEVELS[level] ?? SECOND;
      const first = Math.max(from, startOfMark(through, width));
      const to = Math.floor(reference / width) * width;
      if (to <= first) continue;
      counted[level] = tally(this.#sql.sum().get(...this.#key, level, first / width, to / width));
      from = to;
    }
    return counted;
  }

  /** Returns the buckets of a level with entries above the mark, in [from, to), which are whole buckets. */
  countsIn(level: number, from: number, to: number): { reference: number; documents: number }[] {
    const width = COUNT_LEVELS[level] ?? SECOND;
    const first = Math.max(0, from, startOfMark(this.through, width)) / width;
    return this.#sql
      .buckets()
      .all(...this.#key, level, first, to / width)
      .map(([bucket, documents]) => ({ reference: bucket * width, documents }));
  }

  /** Counts entries of a second before `reference`, by the shorter side of it: many may have one instant. */
  #inSecond(second: number, reference: number): Tally {
    const from = Math.max(second, this.through + 1);
    const scan = (least: number, end: number, most: number) =>
      tally(this.#sql.scan().get(...this.#key, least, end, most));
    for (let most = FIRST_SCAN; ; most *= 8) {
      const below = scan(from, reference, most);
      if (below.documents < most) return below;
      const above = scan(reference, second + SECOND, most);
      if (above.documents >= most) continue;
      const all = tally(this.#sql.sum().get(...this.#key, 0, second / SECOND, second / SECOND + 1));
      return { documents: all.documents - above.documents, bytes: all.bytes - above.bytes };
    }
  }

  between(from: number, to: number): Tally {
    const upTo = this.before(to);
    const below = this.before(from);
    return { documents: upTo.documents - below.documents, bytes: upTo.bytes - below.bytes };
  }

  /** Like `before`, without bytes: several times as fast in a second that holds many documents. */
  documentsBefore(reference: number): number {
    const counted = this.#histogram.before(reference);
    return this.mayHaveLate ? counted + this.#late().documentsBefore(reference) : counted;
  }

  /** Returns the documents between each two of `edges`, epoch ms, which ascend and may be fractions. */
  histogram(edges: readonly number[]): number[] {
    const counts = this.#histogram.between(edges);
    if (!this.hasLate) return counts;
    const late = this.#late().histogram(edges);
    return counts.map((documents, i) => documents + (late[i] ?? 0));
  }

  /** Counts documents of [from, to), both whole seconds; without late ones. */
  inSeconds(from: number, to: number): number {
    const first = Math.max(0, from, startOfMark(this.through, SECOND)) / SECOND;
    return tally(this.#sql.sum().get(...this.#key, 0, first, to / SECOND)).documents;
  }

  /**
   * Whole seconds, or with a larger level minutes or hours, of [from, to) that hold `atLeast` documents; late ones are
   * not counted.
   */
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
        Math.max(0, Math.ceil(from / width), startOfMark(this.through, width) / width),
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
    const { through } = this;
    const { reference, row } =
      to > 0 && start.reference <= through ? { reference: through + 1, row: -1 } : start;
    const living = this.#sql
      .entries()
      .all(...this.#key, reference, row, to, limit)
      .map(toEntry);
    if (to <= 0 || !this.mayHaveLate) return living;
    return merged(this.#late().entries(from, to, after, limit), living, limit);
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
    const { through } = this;
    const living = this.#sql
      .entriesBack()
      .all(...this.#key, start.reference, start.row, to > 0 ? Math.max(from, through + 1) : from, limit)
      .map(toEntry);
    if (to <= 0 || !this.mayHaveLate) return living;
    return merged(living, this.#late().entriesBackwards(from, to, before, limit), limit, true);
  }
}

/** Returns the beginning of the bucket of `width` ms that the mark divides; 0 without a mark. */
function startOfMark(through: number, width: number): number {
  return through < 0 ? 0 : Math.floor(through / width) * width;
}

function toEntry([reference, row, bytes]: [number, number, number]): Entry {
  return { reference, row, bytes };
}

function plus(a: Tally, b: Tally): Tally {
  return { documents: a.documents + b.documents, bytes: a.bytes + b.bytes };
}

function tally(row: [number | null, number | null] | undefined): Tally {
  return { documents: row?.[0] ?? 0, bytes: row?.[1] ?? 0 };
}
