/**
 * Terms of this folder:
 * - slot: index of a row in the scrolled list
 * - page: PAGE_ROWS rows in consecutive slots, read by key
 * - cursor: start of a page, `after` of the list call; null for the first
 * - landing: a page whose slot is an estimate, reached by a far jump; reading on from it in either direction is exact
 */
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { createStore, type ReadableStore, type Store } from '../../../state/store.ts';
import type { PageSource } from './page-source.ts';
import { PageTable } from './page-table.ts';
import { PAGE_ROWS, type PagerSnapshot, rowsOf } from './pager-snapshot.ts';

/** Rows per read on the way to a far slot: the engine's maximum. */
const MOST_ROWS = 1000;
const PAGES_ON_THE_WAY = MOST_ROWS / PAGE_ROWS;
/** Pages read in sequence before a far jump is tried instead. */
const NEAR_PAGES = 10;
/** Pages kept on each side of those in sight. */
const KEPT_PAGES = 5;
/** Reads on when fewer rows than this remain before the end of the rows in memory. */
const MARGIN = 100;
/** Pages of free slots inserted before a landing that is further from the start than estimated. */
const ROOM_PAGES = 50;
/** Most slots: browsers limit the height of an element to about 33 million pixels, a million rows of 28. */
const MOST_SLOTS = 1_000_000;
/** Slots taken to be visible before the first `setVisible`, and at least after a renumbering. */
const FIRST_SLOTS = 40;

/**
 * Reads a list of any length by key, in bounded memory. `setVisible` sets the slots in sight; the pager reads missing pages
 * there, one call at a time, and drops distant ones. Scrolling is exact in both directions; a far jump, which only
 * the scrollbar's thumb makes, may land approximately.
 */
export class DocumentPager {
  readonly #source: PageSource;
  #abort = new AbortController();
  readonly #table = new PageTable();
  #visible = { from: 0, to: FIRST_SLOTS };
  #expected: number | null = null;
  #generation = 0;
  #isBusy = false;
  #heldUntil = 0;
  #endOfHold: ReturnType<typeof setTimeout> | undefined;
  #canLocate = true;
  readonly #snapshot: Store<PagerSnapshot>;

  constructor(source: PageSource) {
    this.#source = source;
    this.#snapshot = createStore(this.#describe({ status: 'reading', error: null, passed: null }));
  }

  get snapshot(): ReadableStore<PagerSnapshot> {
    return this.#snapshot;
  }

  /** Number of rows where known without reading. */
  expect(rows: number | null): void {
    if (this.#expected === rows) return;
    this.#expected = rows;
    this.#publish({});
  }

  setVisible(from: number, to: number): void {
    this.#visible = { from, to };
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
    this.#start();
  }

  /** Reads pages in sight again after a change; their rows stay visible meanwhile. */
  refresh(): void {
    this.#generation += 1;
    this.#start();
  }

  /** Keeps rows in memory in their slots for `ms`, also if their pages are being read again. Missing pages are read. */
  hold(ms: number): void {
    this.#heldUntil = performance.now() + ms;
  }

  /** Stops a long search; `resume` continues it. */
  stop(): void {
    this.#publish({ status: 'stopped', passed: null });
  }

  resume(): void {
    this.#publish({ status: 'reading', error: null });
    this.#start();
  }

  /** Drops the slots in sight and stops reading; `setVisible` starts again. */
  close(): void {
    this.#abort.abort();
    clearTimeout(this.#endOfHold);
    this.#endOfHold = undefined;
  }

  #start(): void {
    if (this.#isBusy || this.#abort.signal.aborted || this.#isStopped()) return;
    // Scrolling over rows in memory does not notify listeners.
    if (this.#snapshot.get().status === 'ready' && this.#nextPage() === null) return;
    this.#isBusy = true;
    const { signal } = this.#abort;
    this.#readMissing()
      .catch((error: unknown) => {
        if (!signal.aborted) this.#publish({ status: 'failed', error, passed: null });
      })
      .finally(() => {
        this.#isBusy = false;
        // The pager was closed and used again during a read, whose result was discarded.
        if (signal !== this.#abort.signal) this.#start();
      });
  }

  async #readMissing(): Promise<void> {
    for (let page = this.#nextPage(); page !== null; page = this.#nextPage()) {
      await this.#read(page);
      if (this.#abort.signal.aborted || this.#isStopped()) return;
      this.#dropDistant();
      this.#publish({ status: 'reading', error: null });
    }
    this.#publish({ status: 'ready', error: null, passed: null });
  }

  #isStopped(): boolean {
    return this.#snapshot.get().status === 'stopped';
  }

  /** Returns the page to read next: pages in sight, then pages near them, then outdated ones. */
  #nextPage(): number | null {
    const seen = this.#span(0);
    const near = this.#span(MARGIN);
    const isStale = (page: number) =>
      (this.#table.pages.get(page)?.generation ?? this.#generation) < this.#generation;
    return (
      seen.find(page => !this.#table.pages.has(page)) ??
      near.find(page => !this.#table.pages.has(page)) ??
      this.#unlessHeld(seen.find(isStale)) ??
      null
    );
  }

  /** Returns the page to read again or, while rows are held, undefined: it is then read after the hold. */
  #unlessHeld(page: number | undefined): number | undefined {
    if (page === undefined || !this.#isHeld()) return page;
    this.#endOfHold ??= setTimeout(() => {
      this.#endOfHold = undefined;
      this.#start();
    }, this.#heldUntil - performance.now());
    return undefined;
  }

  #isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  #span(margin: number): number[] {
    const pageOf = (slot: number) => Math.max(0, Math.floor(slot / PAGE_ROWS));
    const first = pageOf(this.#visible.from - margin);
    const last = Math.min(pageOf(this.#visible.to + margin), this.#table.last ?? Number.POSITIVE_INFINITY);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  }

  async #read(page: number): Promise<void> {
    const cursor = this.#table.cursorOf(page);
    if (cursor !== undefined) return this.#readPage(page, cursor);
    if (page === 0 && !this.#table.pages.has(1)) return this.#table.clear();
    const follower = this.#table.pages.get(page + 1)?.rows[0];
    if (follower !== undefined) return this.#readBefore(page, follower);
    const known = this.#table.nearestBefore(page);
    if (known === null || page - known > NEAR_PAGES) {
      if (await this.#land(page)) return;
    }
    if (known === null) return this.#table.clear();
    return this.#walk(known, page);
  }

  async #readPage(page: number, cursor: string | null): Promise<void> {
    const isReread = this.#table.pages.has(page);
    const rows: DocumentRecord[] = [];
    let next: string | null = cursor;
    do {
      const listed = await this.#source.list(next, PAGE_ROWS - rows.length, this.#abort.signal);
      if (isReread && this.#isHeld()) return;
      rows.push(...listed.documents);
      next = listed.next;
      if (next !== null && rows.length < PAGE_ROWS) {
        if (this.#isStopped()) break;
        // Publishes the rows found so far by a search with few matches.
        this.#keep(page, rows);
        this.#publish({ status: 'reading' });
      }
    } while (rows.length < PAGE_ROWS && next !== null);
    this.#keep(page, rows);
    if (next === null) this.#table.endAt(page, page * PAGE_ROWS + rows.length);
    else this.#table.chain(page + 1, next);
  }

  #keep(page: number, rows: readonly DocumentRecord[]): void {
    this.#table.put(page, rows, this.#generation);
  }

  /** Reads the page before a landing. */
  async #readBefore(page: number, follower: DocumentRecord): Promise<void> {
    const rows = await this.#source.before(follower, PAGE_ROWS, this.#abort.signal);
    if (rows === null) return this.#table.clear();
    if (rows.length < PAGE_ROWS) {
      this.#moveVisible(-this.#table.startWith(page, rows));
      return;
    }
    this.#keep(page, rows);
    if (page > 0) return;
    this.#table.insertBefore(ROOM_PAGES);
    this.#moveVisible(ROOM_PAGES * PAGE_ROWS);
  }

  /** Called when the visible rows get other slots. */
  #moveVisible(by: number): void {
    const { from, to } = this.#visible;
    this.#visible = { from: Math.max(0, from + by), to: Math.max(FIRST_SLOTS, to + by) };
  }

  async #land(page: number): Promise<boolean> {
    if (!this.#canLocate) return false;
    const cursor = await this.#source.locate(
      (page * PAGE_ROWS) / this.#snapshot.get().slots,
      this.#abort.signal,
    );
    if (cursor === null) {
      this.#canLocate = false;
      return false;
    }
    this.#table.landAt(page, cursor);
    return true;
  }

  /** Reads up to MOST_ROWS rows on the way to a page whose cursor is unknown. */
  async #walk(known: number, page: number): Promise<void> {
    const pages = Math.min(page - known, PAGES_ON_THE_WAY);
    let cursor = this.#table.cursorOf(known) ?? null;
    for (let left = pages * PAGE_ROWS; left > 0; ) {
      const { documents, next } = await this.#source.list(cursor, left, this.#abort.signal);
      left -= documents.length;
      if (next === null) {
        const count = (known + pages) * PAGE_ROWS - left;
        this.#table.endAt(Math.max(0, Math.ceil(count / PAGE_ROWS) - 1), count);
        return;
      }
      cursor = next;
    }
    if (cursor !== null) this.#table.setCursor(known + pages, cursor);
    this.#publish({ passed: (known + pages) * PAGE_ROWS });
  }

  #dropDistant(): void {
    const span = this.#span(0);
    this.#table.keepOnly((span[0] ?? 0) - KEPT_PAGES, (span.at(-1) ?? 0) + KEPT_PAGES);
  }

  #publish(change: Partial<Pick<PagerSnapshot, 'status' | 'error' | 'passed'>>): void {
    const { status, error, passed } = this.#snapshot.get();
    this.#snapshot.set(this.#describe({ status, error, passed, ...change }));
  }

  #describe(state: Pick<PagerSnapshot, 'status' | 'error' | 'passed'>): PagerSnapshot {
    const { pages: present, count } = this.#table;
    const pages = new Map(present);
    const last = Math.max(-1, ...pages.keys());
    const readTo = last * PAGE_ROWS + (pages.get(last)?.rows.length ?? 0);
    // While the end is unknown, the list can be scrolled one page further than it was read.
    const guess = last < 0 ? (this.#expected ?? 0) : Math.max(readTo + MARGIN, this.#expected ?? 0);
    return {
      ...state,
      isCounted: count !== null,
      slots: count ?? Math.min(guess, Math.max(MOST_SLOTS, readTo + MARGIN)),
      ...rowsOf(pages),
    };
  }
}
