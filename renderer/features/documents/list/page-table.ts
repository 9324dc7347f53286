import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { PAGE_ROWS, type Page } from './pager-snapshot.ts';
import { keepUnchanged } from './reuse-unchanged-rows.ts';

/**
 * The pages in memory, by number, and the cursors of pages that can be read directly. Slots of pages after a landing are
 * estimates until the first row of the list is reached.
 */
export class PageTable {
  #pages = new Map<number, Page>();
  #cursors = new Map<number, string | null>([[0, null]]);
  #last: number | null = null;
  #count: number | null = null;

  get pages(): ReadonlyMap<number, Page> {
    return this.#pages;
  }

  /** Number of the last page; null: not read yet. */
  get last(): number | null {
    return this.#last;
  }

  /** Number of slots, once the last page was read. */
  get count(): number | null {
    return this.#count;
  }

  /** Undefined: not known. Null: the first page. */
  cursorOf(page: number): string | null | undefined {
    return this.#cursors.get(page);
  }

  /** Returns the nearest page before this one whose cursor is known. */
  nearestBefore(page: number): number | null {
    for (let known = page - 1; known >= 0; known--) if (this.#cursors.has(known)) return known;
    return null;
  }

  /** Stores the rows of a page; unchanged rows keep their objects. */
  put(page: number, rows: readonly DocumentRecord[], generation: number): void {
    const known = this.#pages.get(page)?.rows ?? [];
    this.#pages.set(page, { rows: keepUnchanged(known, rows), generation });
  }

  setCursor(page: number, cursor: string): void {
    this.#cursors.set(page, cursor);
  }

  /** Sets where a page starts: at the end of the one before. A page that started elsewhere is read again. */
  chain(page: number, cursor: string): void {
    if (this.#last !== null && this.#last < page) this.#openEnd();
    if (this.#cursors.get(page) === cursor) return;
    this.#cursors.set(page, cursor);
    const present = this.#pages.get(page);
    if (present !== undefined) this.#pages.set(page, { ...present, generation: -1 });
  }

  /** The list ends in this page. */
  endAt(page: number, count: number): void {
    this.#last = page;
    this.#count = count;
    for (const other of [...this.#pages.keys()]) if (other > page) this.#pages.delete(other);
    for (const other of [...this.#cursors.keys()]) if (other > page) this.#cursors.delete(other);
  }

  /** Drops all pages; the first one can be read. */
  clear(): void {
    this.#pages = new Map();
    this.#cursors = new Map([[0, null]]);
    this.#openEnd();
  }

  /** Drops all pages; only this one can be read. */
  landAt(page: number, cursor: string): void {
    this.#pages = new Map();
    this.#cursors = new Map([[page, cursor]]);
    this.#openEnd();
  }

  /** Inserts free pages before all others. */
  insertBefore(pages: number): void {
    const moved = <Value>(map: Map<number, Value>) =>
      new Map([...map].map(([page, value]) => [page + pages, value]));
    this.#pages = moved(this.#pages);
    this.#cursors = moved(this.#cursors);
    if (this.#last !== null) this.#last += pages;
    if (this.#count !== null) this.#count += pages * PAGE_ROWS;
  }

  /**
   * The first rows of the list were read as the content of `page`: rows in memory get their exact slots. Returns the
   * number of slots by which they move towards the start.
   */
  startWith(page: number, rows: readonly DocumentRecord[]): number {
    const run = [...rows];
    for (let other = page + 1; ; other++) {
      const follower = this.#pages.get(other);
      if (follower === undefined) break;
      run.push(...follower.rows);
    }
    this.clear();
    for (let first = 0; first < run.length; first += PAGE_ROWS) {
      this.#pages.set(first / PAGE_ROWS, { rows: run.slice(first, first + PAGE_ROWS), generation: -1 });
    }
    return (page + 1) * PAGE_ROWS - rows.length;
  }

  /** Drops the pages before `first` and after `last`. */
  keepOnly(first: number, last: number): void {
    for (const page of [...this.#pages.keys()]) if (page < first || page > last) this.#pages.delete(page);
  }

  #openEnd(): void {
    this.#last = null;
    this.#count = null;
  }
}
