import { type Problem, problemOf } from '../../../api.ts';
import { createStore, type ReadableStore, type Store } from '../../../state/store.ts';
import { type History, type HistoryPage, newerThan, withHead, withKnownOnly, withOlder } from './history.ts';

export interface HistorySource<Row> {
  read: (before: string | null, limit: number) => Promise<HistoryPage<Row>>;
  /** Falls from row to row. */
  numberOf: (row: Row) => number;
  /** Which rows the list shows; all are read, for the history is paged by time alone. */
  shows: (row: Row) => boolean;
  /** Nothing older than this row is asked for: it lies before the span. */
  isBefore: (row: Row) => boolean;
}

export interface HistorySnapshot<Row> {
  rows: readonly Row[];
  isReading: boolean;
  /** Was anything read yet. */
  isRead: boolean;
  /** Nothing older follows. */
  isWhole: boolean;
  /** Rows that were read, shown or not. */
  looked: number;
  /** Newer rows that are not shown, since the list holds still. */
  waiting: { count: number; orMore: boolean };
  problem: Problem | null;
}

const HEAD_ROWS = 200;
const PAGE_ROWS = 500;
/** A filter that finds nothing is asked about after so many pages, instead of reading a million rows by itself. */
const PAGES_AT_ONCE = 10;
/** Rows that one look further brings at least, where there are so many. */
const ENOUGH = 60;
const NONE = { count: 0, orMore: false };

/** Reads a history newest first, as far as somebody looks, and keeps its newest rows fresh. */
export class HistoryPager<Row> {
  readonly #source: HistorySource<Row>;
  #known: History<Row> | null = null;
  #head: HistoryPage<Row> | null = null;
  #isReading = false;
  #isClosed = false;
  /** Another life of the list: what the one before asked for is not taken in. */
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

  /** Older rows. */
  async more(): Promise<void> {
    if (this.#isReading || this.#isClosed || this.#known?.next === null) return;
    await this.#reading(async () => {
      const goal = this.#snapshot.get().rows.length + ENOUGH;
      const life = this.#life;
      for (let pages = 0; pages < PAGES_AT_ONCE && !this.#isClosed; pages++) {
        const page = await this.#source.read(
          this.#known?.next ?? null,
          this.#known === null ? HEAD_ROWS : PAGE_ROWS,
        );
        if (life !== this.#life) return;
        this.#known = this.#known === null ? page : withOlder(this.#known, page);
        this.#tell();
        if (this.#snapshot.get().isWhole || this.#snapshot.get().rows.length >= goal) return;
      }
    });
  }

  /** The newest page again. `still`: whoever reads must not lose their place; what is new is counted and waits. */
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
        this.#known = withHead(known, head, numberOf);
        this.#head = null;
      }
    });
  }

  /** What waits comes in. */
  takeWaiting(): void {
    if (this.#head === null || this.#known === null) return;
    this.#known = withHead(this.#known, this.#head, this.#source.numberOf);
    this.#head = null;
    this.#tell();
  }

  /** Something was done to rows in memory. */
  change(change: (row: Row) => Row): void {
    if (this.#known === null) return;
    this.#known = { ...this.#known, rows: this.#known.rows.map(change) };
    this.#tell();
  }

  /** All anew: much was done to rows, in memory or not. */
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
    this.#tell();
    try {
      await work();
    } catch (error) {
      problem = problemOf(error);
    }
    if (life !== this.#life) return;
    this.#problem = problem;
    this.#isReading = false;
    this.#tell();
  }

  #tell(): void {
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
      looked: known.rows.length,
      waiting: head === null ? NONE : newerThan(known, head, numberOf),
      problem: this.#problem,
    };
  }
}
