import { COUNT_LEVELS, SECOND } from './count-levels.ts';
import type { IndexTableStatements } from './index-table-statements.ts';

/** Maximum counts that one query reads; longer spans use coarser counts, and finer ones at both edges. */
const MOST_LISTED = 4_000;

/**
 * Counts documents of an index table by span of time. Cost: the spans, plus entries in the seconds that the edges cut.
 */
export class IndexTableHistogram {
  readonly #sql: IndexTableStatements;
  readonly #key: readonly number[];
  readonly #through: () => number;

  /**
   * `key`: the first parameters of each statement. `through`: the reference time up to which entries are expired; their
   * counts are left out.
   */
  constructor(statements: IndexTableStatements, key: readonly number[], through: () => number) {
    this.#sql = statements;
    this.#key = key;
    this.#through = through;
  }

  /** Returns the documents in each of `buckets` spans of `width` ms from `from` on; both may be fractions. */
  of(from: number, width: number, buckets: number): number[] {
    const edge = (i: number) => Math.max(0, from + width * i);
    // Finer than the finest counts: the whole range is short, and each entry is read once.
    if (width < SECOND) return Array.from({ length: buckets }, (_, i) => this.#between(edge(i), edge(i + 1)));
    const level = levelFor(from, width, buckets);
    const unit = COUNT_LEVELS[level] ?? SECOND;
    const [units, documents] = this.#listed(
      level,
      Math.floor(edge(0) / unit),
      Math.floor(edge(buckets) / unit) + 1,
    );
    let passed = 0;
    let sum = 0;
    const least = this.#through() + 1;
    const upTo = (at: number) => {
      if (at <= least) return 0;
      const current = Math.floor(at / unit);
      for (; passed < units.length && (units[passed] ?? 0) < current; passed += 1)
        sum += documents[passed] ?? 0;
      return units[passed] === current ? sum + this.#within(level, at, documents[passed] ?? 0) : sum;
    };
    let below = upTo(edge(0));
    return Array.from({ length: buckets }, (_, i) => {
      const above = upTo(edge(i + 1));
      const between = above - below;
      below = above;
      return between;
    });
  }

  /** Returns the non-empty units of a level, in order, and the documents in each. */
  #listed(level: number, from: number, to: number): [units: number[], documents: number[]] {
    const first = Math.max(from, this.#firstBucket(COUNT_LEVELS[level] ?? SECOND));
    const [units, documents] = this.#sql.listed().get(...this.#key, level, first, to) ?? [null, null];
    return [numbers(units), numbers(documents)];
  }

  /**
   * Counts documents before `at` in the unit of `level` that contains `at`, by reading the smaller part of the unit;
   * `inUnit` is the number of documents in the whole unit.
   */
  #within(level: number, at: number, inUnit: number): number {
    const size = COUNT_LEVELS[level] ?? SECOND;
    const start = startOf(level, at);
    return at - start <= size / 2
      ? this.#fromStart(level, start, at)
      : inUnit - this.#toEnd(level, at, start + size);
  }

  /** Counts documents from the start of a unit of `level` up to `at` in it. */
  #fromStart(level: number, start: number, at: number): number {
    let documents = 0;
    let from = start;
    for (let finer = level - 1; finer >= 0 && from < at; finer -= 1) {
      const to = startOf(finer, at);
      documents += this.#whole(finer, from, to);
      from = to;
    }
    if (at - from <= SECOND / 2) return documents + this.#between(from, at);
    return documents + this.#secondExcept(from, at, from + SECOND);
  }

  /** Counts documents from `at` to the end of the unit of `level` that contains it. */
  #toEnd(level: number, at: number, end: number): number {
    let documents = 0;
    let to = end;
    for (let finer = level - 1; finer >= 0 && at < to; finer -= 1) {
      const from = endOf(finer, at);
      documents += this.#whole(finer, from, to);
      to = from;
    }
    if (to - at <= SECOND / 2) return documents + this.#between(at, to);
    return documents + this.#secondExcept(to - SECOND, to - SECOND, at);
  }

  /** Counts documents of a whole second, except those of [from, to) in it. */
  #secondExcept(second: number, from: number, to: number): number {
    const all = this.#whole(0, second, second + SECOND);
    return all === 0 ? 0 : all - this.#between(from, to);
  }

  /** Counts documents of whole units of `level`. */
  #whole(level: number, from: number, to: number): number {
    if (to <= from) return 0;
    const size = COUNT_LEVELS[level] ?? SECOND;
    const first = Math.max(from / size, this.#firstBucket(size));
    return this.#sql.sumOfDocuments().get(...this.#key, level, first, to / size) ?? 0;
  }

  #between(from: number, to: number): number {
    const first = Math.max(from, this.#through() + 1);
    return to > first ? (this.#sql.scanOfDocuments().get(...this.#key, first, to) ?? 0) : 0;
  }

  /** Returns the bucket of `size` ms that the mark divides, which counts only what is above it; 0 without a mark. */
  #firstBucket(size: number): number {
    return Math.max(0, Math.floor(this.#through() / size));
  }
}

/**
 * Returns the coarsest level that fits the spans or, if that has too many counts to list, the finest one that has not.
 */
function levelFor(from: number, width: number, buckets: number): number {
  const fitting = COUNT_LEVELS.findLastIndex(size => from % size === 0 && width % size === 0);
  const listable = COUNT_LEVELS.findIndex(size => (width * buckets) / size <= MOST_LISTED);
  return Math.max(fitting, listable === -1 ? COUNT_LEVELS.length - 1 : listable);
}

function startOf(level: number, at: number): number {
  const size = COUNT_LEVELS[level] ?? SECOND;
  return Math.floor(at / size) * size;
}

/** Returns the end of the unit that contains `at`, or `at` itself if a unit begins there. */
function endOf(level: number, at: number): number {
  const size = COUNT_LEVELS[level] ?? SECOND;
  return Math.ceil(at / size) * size;
}

function numbers(list: string | null): number[] {
  return JSON.parse(`[${list ?? ''}]`) as number[];
}
