import { COUNT_LEVELS, SECOND } from './count-levels.ts';
import type { IndexTableStatements } from './index-table-statements.ts';

/** Maximum counts that one query reads; longer spans use coarser counts, and finer ones at both edges. */
const MOST_LISTED = 4_000;

/** Counts documents of an index table by span of time. Cost: the spans, plus entries in the seconds that the edges cut. */
export class IndexTableHistogram {
  readonly #sql: IndexTableStatements;
  readonly #key: readonly number[];

  /** `key`: the first parameters of each statement. */
  constructor(statements: IndexTableStatements, key: readonly number[]) {
    this.#sql = statements;
    this.#key = key;
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
    const upTo = (at: number) => {
      const current = Math.floor(at / unit);
      for (; passed < units.length && (units[passed] ?? 0) < current; passed += 1)
        sum += documents[passed] ?? 0;
      return units[passed] === current ? sum + this.#within(level, at) : sum;
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
    const [units, documents] = this.#sql.listed().get(...this.#key, level, from, to) ?? [null, null];
    return [numbers(units), numbers(documents)];
  }

  /** Counts documents before `at` in the unit of `level` that contains `at`. */
  #within(level: number, at: number): number {
    let documents = 0;
    let from = startOf(level, at);
    for (let finer = level - 1; finer >= 0 && from < at; finer -= 1) {
      const size = COUNT_LEVELS[finer] ?? SECOND;
      const to = startOf(finer, at);
      if (to > from)
        documents += this.#sql.sumOfDocuments().get(...this.#key, finer, from / size, to / size) ?? 0;
      from = to;
    }
    return from < at ? documents + this.#withinSecond(from, at) : documents;
  }

  /** Like `#within`, for a second, of which the smaller part is read. */
  #withinSecond(second: number, at: number): number {
    if (at - second <= SECOND / 2) return this.#between(second, at);
    const all = this.#sql.sumOfDocuments().get(...this.#key, 0, second / SECOND, second / SECOND + 1) ?? 0;
    return all === 0 ? 0 : all - this.#between(at, second + SECOND);
  }

  #between(from: number, to: number): number {
    return to > from ? (this.#sql.scanOfDocuments().get(...this.#key, from, to) ?? 0) : 0;
  }
}

/** Returns the coarsest level that fits the spans or, if that has too many counts to list, the finest one that has not. */
function levelFor(from: number, width: number, buckets: number): number {
  const fitting = COUNT_LEVELS.findLastIndex(size => from % size === 0 && width % size === 0);
  const listable = COUNT_LEVELS.findIndex(size => (width * buckets) / size <= MOST_LISTED);
  return Math.max(fitting, listable === -1 ? COUNT_LEVELS.length - 1 : listable);
}

function startOf(level: number, at: number): number {
  const size = COUNT_LEVELS[level] ?? SECOND;
  return Math.floor(at / size) * size;
}

function numbers(list: string | null): number[] {
  return JSON.parse(`[${list ?? ''}]`) as number[];
}
