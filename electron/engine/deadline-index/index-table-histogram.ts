import { COUNT_LEVELS, SECOND } from './count-levels.ts';
import type { IndexTableStatements } from './index-table-statements.ts';
import { documentsBeforeEach } from './split-second.ts';

/** Maximum counts that one query reads; longer spans use coarser counts, and finer ones at both edges. */
const MOST_LISTED = 4_000;

/**
 * Counts documents of an index table by span of time. Cost: the spans, plus the smaller parts of the seconds that edges
 * divide.
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

  /** Returns the documents between each two of `edges`, which ascend and may be fractions. */
  between(edges: readonly number[]): number[] {
    // Reference times are whole: an edge between two of them is the same as the next one.
    const whole = edges.map(edge => Math.max(0, Math.ceil(edge)));
    const before = this.#beforeEach(whole);
    return before.slice(1).map((upTo, i) => upTo - (before[i] ?? 0));
  }

  /** Counts all documents before `at`. */
  before(at: number): number {
    const whole = Math.ceil(at);
    if (whole <= this.#through() + 1 || whole <= 0) return 0;
    const second = startOf(0, whole);
    const seconds = this.#fromStart(COUNT_LEVELS.length, 0, second);
    const [within = 0] = this.#inSecond(second, [whole], () => this.#whole(0, second, second + SECOND));
    return seconds + within;
  }

  /** Counts documents before each of `edges`, from the first count on that was listed. */
  #beforeEach(edges: readonly number[]): number[] {
    const first = edges[0] ?? 0;
    const last = edges.at(-1) ?? first;
    const level = levelFor(edges, last - first);
    const unit = COUNT_LEVELS[level] ?? SECOND;
    const [units, documents] = this.#listed(level, Math.floor(first / unit), Math.floor(last / unit) + 1);
    let passed = 0;
    let sum = 0;
    const least = this.#through() + 1;
    const before: number[] = [];
    while (before.length < edges.length) {
      const at = edges[before.length] ?? 0;
      const second = startOf(0, at);
      const current = Math.floor(at / unit);
      for (; passed < units.length && (units[passed] ?? 0) < current; passed += 1)
        sum += documents[passed] ?? 0;
      const inUnit = units[passed] === current ? (documents[passed] ?? 0) : 0;
      const seconds = sum + (inUnit === 0 ? 0 : this.#within(level, second, inUnit));
      const instants = sameSecond(edges, before.length, second);
      const all = () => (level === 0 || inUnit === 0 ? inUnit : this.#whole(0, second, second + SECOND));
      const parts = this.#inSecond(second, instants, all);
      instants.forEach((instant, i) => {
        before.push(instant <= least ? 0 : seconds + (parts[i] ?? 0));
      });
    }
    return before;
  }

  /** Returns the non-empty units of a level, in order, and the documents in each. */
  #listed(level: number, from: number, to: number): [units: number[], documents: number[]] {
    const first = Math.max(from, this.#firstBucket(COUNT_LEVELS[level] ?? SECOND));
    const [units, documents] = this.#sql.listed().get(...this.#key, level, first, to) ?? [null, null];
    return [numbers(units), numbers(documents)];
  }

  /**
   * Counts documents before a whole second in the unit of `level` that contains it, by the counts of the shorter part of
   * the unit; `inUnit` is the number of documents in the whole unit.
   */
  #within(level: number, second: number, inUnit: number): number {
    const size = COUNT_LEVELS[level] ?? SECOND;
    const start = startOf(level, second);
    return second - start <= size / 2
      ? this.#fromStart(level, start, second)
      : inUnit - this.#toEnd(level, second, start + size);
  }

  /** Counts documents from the start of a unit of `level` up to a whole second in it. */
  #fromStart(level: number, start: number, second: number): number {
    let documents = 0;
    let from = start;
    for (let finer = level - 1; finer >= 0 && from < second; finer -= 1) {
      const to = startOf(finer, second);
      documents += this.#whole(finer, from, to);
      from = to;
    }
    return documents;
  }

  /** Counts documents from a whole second to the end of the unit of `level` that contains it. */
  #toEnd(level: number, second: number, end: number): number {
    let documents = 0;
    let to = end;
    for (let finer = level - 1; finer >= 0 && second < to; finer -= 1) {
      const from = endOf(finer, second);
      documents += this.#whole(finer, from, to);
      to = from;
    }
    return documents;
  }

  /** Counts documents of a second before each of the instants in it; `all` returns those of the whole second. */
  #inSecond(second: number, instants: readonly number[], all: () => number): number[] {
    const inner = instants.filter(instant => instant > second);
    if (inner.length === 0) return instants.map(() => 0);
    const least = this.#through() + 1;
    const counted = documentsBeforeEach(second, inner, all(), {
      all: (from, to) =>
        to > least ? (this.#sql.scanOfDocuments().get(...this.#key, Math.max(from, least), to) ?? 0) : 0,
      upTo: (from, to, most) =>
        to > least ? (this.#sql.scanUpTo().get(...this.#key, Math.max(from, least), to, most) ?? 0) : 0,
    });
    return [...instants.slice(inner.length).map(() => 0), ...counted];
  }

  /** Counts documents of whole units of `level`. */
  #whole(level: number, from: number, to: number): number {
    if (to <= from) return 0;
    const size = COUNT_LEVELS[level] ?? SECOND;
    const first = Math.max(from / size, this.#firstBucket(size));
    return this.#sql.sumOfDocuments().get(...this.#key, level, first, to / size) ?? 0;
  }

  /** Returns the bucket of `size` ms that the mark divides, which counts only what is above it; 0 without a mark. */
  #firstBucket(size: number): number {
    return Math.max(0, Math.floor(this.#through() / size));
  }
}

/**
 * Returns the coarsest level that fits the edges or, if that has too many counts to list, the finest one that has not.
 */
function levelFor(edges: readonly number[], span: number): number {
  const fitting = COUNT_LEVELS.findLastIndex(size => edges.every(edge => edge % size === 0));
  const listable = COUNT_LEVELS.findIndex(size => span / size <= MOST_LISTED);
  return Math.max(fitting, listable === -1 ? COUNT_LEVELS.length - 1 : listable);
}

/** Returns the edges from position `first` on that are in the same second. */
function sameSecond(edges: readonly number[], first: number, second: number): number[] {
  let end = first + 1;
  while ((edges[end] ?? Number.POSITIVE_INFINITY) < second + SECOND) end += 1;
  return edges.slice(first, end);
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
