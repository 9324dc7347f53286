import type { Entry } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { Database } from '../file/database.ts';
import { type PrecedingAction, prepareDocuments } from '../tables/documents/documents.ts';
import { prepareKeys } from '../tables/documents/keys.ts';
import { bodyBytes, readBody } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Tombstones } from '../tables/removals/tombstones.ts';
import type { DueSince } from './due-since.ts';
import type { ExplicitExpiration } from './explicit-expiration.ts';
import type { IncomingDocument } from './incoming-document.ts';
import { IndexEntries, type MaintainedIndex, type PutEntry } from './index-entries.ts';
import type { IndexTables } from './index-tables.ts';
import { NewRows } from './new-rows.ts';
import type { Tables } from './writer-tables.ts';

/** Rows that are examined for an action: those of removed and quarantined documents have no entry. */
const MOST_WITH_ACTION = 100;

/** An incoming document with its explicit expiration. */
export interface Arrival {
  document: IncomingDocument;
  explicit: ExplicitExpiration | null;
}

/** The parts that all collections of a store share on the writer's connection. */
interface StoreTables {
  readonly tombstones: Tombstones;
  readonly tables: Tables;
  readonly indexTables: IndexTables;
  readonly dueSince: DueSince;
}

/**
 * One collection on the writer's connection: rows, keys and counts, and the entries of its index tables. Every call is
 * made inside a transaction of the writer, which calls `flush` before it commits.
 */
export class CollectionWriter {
  readonly catalog: CatalogCollection;
  readonly entries: IndexEntries;
  /** Changes of the counts on the collection's row since the last flush. */
  #documents = 0;
  #bytes = 0;
  /** The row of the next new document; null until it is needed. */
  #nextRow: number | null = null;
  readonly #tombstones: Tombstones;
  readonly #tables: Tables;
  readonly #dueSince: DueSince;
  readonly #rows;
  readonly #keys;
  readonly #newRows: NewRows;

  constructor(
    db: Database,
    catalog: CatalogCollection,
    { tombstones, tables, indexTables, dueSince }: StoreTables,
  ) {
    this.catalog = catalog;
    this.#tombstones = tombstones;
    this.#tables = tables;
    this.#dueSince = dueSince;
    this.entries = new IndexEntries(catalog, tables.quarantine, indexTables);
    this.#rows = prepareDocuments(db, catalog.id);
    this.#keys = prepareKeys(db, catalog.id);
    this.#newRows = new NewRows(this.#rows, this.#keys);
  }

  get #newRow(): number {
    if (this.#nextRow !== null) return this.#nextRow;
    const { id } = this.catalog;
    // An interrupted sweep has freed rows that still count as dead; their numbers must not be used again yet.
    const dead = Math.max(this.#tombstones.of(id).last, this.#tombstones.intervals.lastRowOf(id));
    this.#nextRow = Math.max(this.#rows.lastRow.get() ?? 0, dead) + 1;
    return this.#nextRow;
  }

  /**
   * Discards what a rolled back transaction has collected, so that this object, whose statements stay prepared, is as
   * before. Not for a collection with a build under way, whose gathered entries may have changed.
   */
  rolledBack(): void {
    this.#documents = 0;
    this.#bytes = 0;
    this.#nextRow = null;
  }

  /** Returns the row of an `_id`; it may be dead. */
  rowOf(id: string): number | null {
    return this.#keys.rowOf.get(id) ?? null;
  }

  /** The highest row that may belong to a document. */
  get lastRow(): number {
    return this.#newRow - 1;
  }

  read(row: number): StoredRow | null {
    return this.#rows.read.get(row) ?? null;
  }

  /**
   * Writes a new row under an `_id` that has none, or whose row is dead. `leftBy` is the number of the removal that
   * moves the document here; null for an ordinary write.
   */
  insert(document: IncomingDocument, now: number, leftBy: number | null = null): number {
    const row = this.#newRow;
    this.#nextRow = row + 1;
    this.#rows.insert.run(row, document.id, now, document.body, leftBy);
    this.#keys.put.run(document.id, row);
    this.entries.add(row, document.bytes, document.value, now, null);
    this.#tally(1, document.bytes);
    return row;
  }

  /**
   * Writes those documents whose `_id` has no row, each as a new one. Returns which were written. The others must be
   * written one by one: those whose row is dead, and those with the `_id` of an earlier document of the list.
   */
  insertNew(arrivals: readonly Arrival[], now: number): boolean[] {
    const documents = arrivals.map(({ document }) => document);
    const rows = this.#newRows.insert(documents, this.#newRow, now);
    const entries = new Map<IndexTable, Entry[]>();
    const gather: PutEntry = (table, reference, row, bytes) => {
      const gathered = entries.get(table);
      if (gathered === undefined) entries.set(table, [{ reference, row, bytes }]);
      else gathered.push({ reference, row, bytes });
    };
    arrivals.forEach(({ document, explicit }, i) => {
      const row = rows[i] ?? null;
      if (row === null) return;
      if (explicit !== null) this.#rows.setExplicit.run(explicit.at, explicit.afterMs, explicit.action, row);
      this.entries.add(row, document.bytes, document.value, now, explicit?.at ?? null, gather);
      this.#tally(1, document.bytes);
      this.#nextRow = row + 1;
    });
    for (const [table, gathered] of entries) table.addAll(gathered);
    return rows.map(row => row !== null);
  }

  /**
   * Whether a document of another store can be written under that store's row: no removal that is not swept yet may
   * have had the row, or the sweep would free it again.
   */
  canAdopt(row: number): boolean {
    const { id } = this.catalog;
    const stored = this.read(row);
    if (stored !== null) return !this.#tombstones.isDead(id, stored);
    return !this.#tombstones.of(id).has(row) && row > this.#tombstones.intervals.lastRowOf(id);
  }

  /**
   * Writes a document of another store under that store's row, replacing documents with the same `_id` or row [V5].
   * Throws a RangeError if the row cannot be adopted.
   */
  adopt(document: StoredRow): void {
    const { row, id, updatedAt, explicitAt, explicitAfterMs, explicitAction, body } = document;
    if (!this.canAdopt(row)) throw new RangeError(`row ${row} of ${this.catalog.name} is not freed yet`);
    for (const holder of [this.rowOf(id), row]) {
      const stored = holder === null ? null : this.read(holder);
      // An expired row stays for the sweep; its key becomes that of this document.
      if (stored !== null && !this.#tombstones.isDead(this.catalog.id, stored)) this.delete(stored);
    }
    this.#nextRow = Math.max(this.#newRow, row + 1);
    this.#rows.insert.run(row, id, updatedAt, body, null);
    if (explicitAt !== null) this.#rows.setExplicit.run(explicitAt, explicitAfterMs, explicitAction, row);
    this.#keys.put.run(id, row);
    const bytes = bodyBytes(body);
    this.entries.add(row, bytes, readBody(body), updatedAt, explicitAt);
    this.#tally(1, bytes);
  }

  /** Overwrites a live row; its explicit expiration stays [C3]. */
  replace(stored: StoredRow, document: IncomingDocument, now: number): void {
    const before = bodyBytes(stored.body);
    this.#removeEntries(stored, before, readBody(stored.body));
    this.#rows.replace.run(now, document.body, null, stored.row);
    this.entries.add(stored.row, document.bytes, document.value, now, stored.explicitAt);
    this.#tally(0, document.bytes - before);
  }

  /**
   * Overwrites a live row with the result of an action that is recorded as the removal numbered `leftBy`. Clears its
   * explicit expiration, which has had its effect; this is the progress that [A5] requires.
   */
  change(stored: StoredRow, document: IncomingDocument, now: number, leftBy: number): void {
    const before = bodyBytes(stored.body);
    this.#removeEntries(stored, before, readBody(stored.body));
    if (stored.explicitAt !== null) this.#rows.setExplicit.run(null, null, null, stored.row);
    this.#rows.replace.run(now, document.body, leftBy, stored.row);
    this.entries.add(stored.row, document.bytes, document.value, now, null);
    this.#tally(0, document.bytes - before);
  }

  /**
   * Returns the action that left the document in its present state; null if it was written since, or the log is pruned.
   */
  precedingAction({ row }: StoredRow): PrecedingAction | null {
    return this.#rows.precedingAction.get(row) ?? null;
  }

  /**
   * Returns whether the document is as the action of that removal left it: neither written nor given an expiration
   * since. A removal's number identifies one change; an instant does not, since several changes fit into a millisecond.
   */
  isLeftBy({ row }: StoredRow, removal: number): boolean {
    return this.#rows.isLeftBy.get(row, removal) !== undefined;
  }

  /**
   * Releases all documents that a changed index had quarantined, so that it retries them. Returns their rows, whose
   * governing index must be counted again.
   */
  releaseQuarantined(maintained: MaintainedIndex): number[] {
    return this.entries.releaseQuarantined(maintained).map(({ row, isEntered }) => {
      const leftBy = isEntered ? (this.#rows.leftBy.get(row) ?? null) : null;
      if (leftBy !== null) this.#tables.removals.resetActionsBefore(leftBy);
      return row;
    });
  }

  /** Deletes row and key at once: a delete by hand. */
  delete(stored: StoredRow): void {
    const bytes = bodyBytes(stored.body);
    this.#removeEntries(stored, bytes, readBody(stored.body));
    this.#rows.delete.run(stored.row);
    this.#keys.delete.run(stored.id, stored.row);
    this.#tally(-1, -bytes);
  }

  /** Removes a document from all indexes and counts; row and key stay for the sweep. */
  removeLogically(stored: StoredRow, except: IndexTable | null = null): void {
    const bytes = bodyBytes(stored.body);
    this.#removeEntries(stored, bytes, readBody(stored.body), except);
    this.#tally(-1, -bytes);
  }

  /** Counts the removal of documents whose only entry the caller has cut from its index table. */
  countRemoved(documents: number, bytes: number): void {
    this.#tally(-documents, -bytes);
  }

  setExplicit(
    stored: StoredRow,
    { at: explicitAt, afterMs: explicitAfterMs, action: explicitAction }: ExplicitExpiration,
  ): void {
    const bytes = bodyBytes(stored.body);
    const value = readBody(stored.body);
    this.#removeEntries(stored, bytes, value);
    this.#rows.setExplicit.run(explicitAt, explicitAfterMs, explicitAction, stored.row);
    this.entries.add(stored.row, bytes, value, stored.updatedAt, explicitAt);
  }

  /**
   * Returns an instant before which every explicit expiration after another deletes its document, at most `through`, epoch
   * ms: that of the earliest one with another action. Null: all of them do.
   */
  firstOtherAction(after: number, through: number): number | null {
    const found = this.#rows.withAction().all(after, through, MOST_WITH_ACTION);
    const isDue = ([at, row]: [number, number]) => this.entries.explicit.bytesOf(at, row) !== null;
    const first = found.find(isDue) ?? (found.length < MOST_WITH_ACTION ? undefined : found.at(-1));
    return first?.[0] ?? null;
  }

  /** Returns rows after `row`, in row order. */
  rowsAfter(row: number, limit: number): StoredRow[] {
    return this.#rows.after.all(row, limit);
  }

  /** Writes the collected counts; called last before a commit. */
  flush(): void {
    this.entries.flushCounts();
    if (this.#documents !== 0 || this.#bytes !== 0) {
      this.#tables.collections.addCounts(this.catalog.id, this.#documents, this.#bytes);
      this.#documents = 0;
      this.#bytes = 0;
    }
  }

  /** Removes the entries of a document that is removed or written. From now on it is due, if it is, for another reason. */
  #removeEntries(stored: StoredRow, bytes: number, value: unknown, except: IndexTable | null = null): void {
    this.entries.remove(stored, bytes, value, except);
    this.#dueSince.forget(this.catalog.id, stored.row);
  }

  #tally(documents: number, bytes: number): void {
    this.#documents += documents;
    this.#bytes += bytes;
  }
}
