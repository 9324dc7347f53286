import { type Problem, problemOf } from '../../../api.ts';
import { createStore, type ReadableStore, type Store } from '../../../state/store.ts';
import { type History, type HistoryPage, newerThan, withHead, withKnownOnly, withOlder } from './history.ts';

export interface HistorySource<Row> {
  read: (before: string | null, limit: number) => Promise<HistoryPage<Row>>;
  /** Decreases from row to row. */
  numberOf: (row: Row) => number;
  /** Whether the list shows a row. Every row is read, because the history is paged by time only. */
  shows: (row: Row) => boolean;
  /** Whether reading ends at this row: it is older than the span. */
  isBefore: (row: Row) => boolean;
}

export interface HistorySnapshot<Row> {
  rows: readonly Row[];
  isReading: boolean;
  isRead: boolean;
  /** Whether the oldest row has been read. */
  isWhole: boolean;
  /** Rows read, shown or not. */
  searched: number;
  /** Newer rows, buffered while the rows keep their place. */
  waiting: { count: number; orMore: boolean };
  problem: Problem | null;
}

const HEAD_ROWS = 200;
const PAGE_ROWS = 500;
/** Most pages read by one call, so that a filter without a match does not read a million rows at once. */
const MOST_PAGES = 10;
/** Least number of rows that one call adds, if that many exist. */
const LEAST_ROWS = 60;
/**
 * Rows kept while new ones arrive at the top; beyond it, older rows are read again when they are scrolled to.
 * @internal
 */
export const MOST_LIVE_ROWS = 10_000;
const NONE = { count: 0, orMore: false };

/** Reads a history page by page, newest first, and refreshes its newest rows. */
export class HistoryPager<Row> {
  readonly #source: HistorySource<Row>;
  #known: History<Row> | null = null;
  #head: HistoryPage<Row> | null = null;
  #isReading = false;
  #isClosed = false;
  /** Increases at each restart: pages requested before it are discarded. */
  #life = 0;
  #problem: Problem | null = null;
  readonly #snapshot: Store<HistorySnapshot<Row>>;

  constructor(source: HistorySource<Row>) {
    this.#source = source;
    this.#snapshot = createStore(this.#taken());
  }

  get snapshot(): ReadableStore<HistorySnapshot<Row>> {
    return this.#snapshot;
  }

  /** Reads older rows. */
  async more(): Promise<void> {
    if (this.#isReading || this.#isClosed || this.#known?.next === null) return;
    await this.#reading(async () => {
      const goal = this.#snapshot.get().rows.length + LEAST_ROWS;
      const life = this.#life;
      for (let pages = 0; pages < MOST_PAGES && !this.#isClosed; pages++) {
        const page = await this.#source.read(
          this.#known?.next ?? null,
          this.#known === null ? HEAD_ROWS : PAGE_ROWS,
        );
        if (life !== this.#life) return;
        this.#known = this.#known === null ? page : withOlder(this.#known, page);
        this.#notify();
        if (this.#snapshot.get().isWhole || this.#snapshot.get().rows.length >= goal) return;
      }
    });
  }

  /** Reads the newest page again. `still`: rows keep their place, and new ones are buffered. */
  async refresh(still: boolean): Promise<void> {
    if (this.#isReading || this.#isClosed) return;
    if (this.#known === null) return this.more();
    await this.#reading(async () => {
      const life = this.#life;
      const head = await this.#source.read(null, HEAD_ROWS);
      if (life !== this.#life) return;
      const known = this.#known ?? head;
      const { numberOf } = this.#source;
      const anythingNew = newerThan(known, head, numberOf).count > 0;
      if (still && anythingNew) {
        this.#known = withKnownOnly(known, head, numberOf);
        this.#head = head;
      } else {
        const all = withHead(known, head, numberOf);
        this.#known = anythingNew && all.rows.length > MOST_LIVE_ROWS ? head : all;
        this.#head = null;
      }
    });
  }

  /** Shows buffered rows. */
  takeWaiting(): void {
    if (this.#head === null || this.#known === null) return;
    this.#known = withHead(this.#known, this.#head, this.#source.numberOf);
    this.#head = null;
    this.#notify();
  }

  change(change: (row: Row) => Row): void {
    if (this.#known === null) return;
    this.#known = { ...this.#known, rows: this.#known.rows.map(change) };
    this.#notify();
  }

  /** Drops all rows and reads again, after a change of many rows. */
  restart(): void {
    this.#life += 1;
    this.#isReading = false;
    this.#known = null;
    this.#head = null;
    void this.more();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #reading(work: () => Promise<void>): Promise<void> {
    const life = this.#life;
    let problem: Problem | null = null;
    this.#isReading = true;
    this.#notify();
    try {
      await work();
    } catch (error) {
      problem = problemOf(error);
    }
    if (life !== this.#life) return;
    this.#problem = problem;
    this.#isReading = false;
    this.#notify();
  }

  #notify(): void {
    this.#snapshot.set(this.#taken());
  }

  #taken(): HistorySnapshot<Row> {
    const known = this.#known ?? { rows: [], next: '' };
    const last = known.rows.at(-1);
    const { shows, isBefore, numberOf } = this.#source;
    const head = this.#head && { ...this.#head, rows: this.#head.rows.filter(shows) };
    return {
      rows: known.rows.filter(shows),
      isReading: this.#isReading,
      isRead: this.#known !== null,
      isWhole: this.#known !== null && (known.next === null || (last !== undefined && isBefore(last))),
      searched: known.rows.length,
      waiting: head === null ? NONE : newerThan(known, head, numberOf),
      problem: this.#problem,
    };
  }
}
