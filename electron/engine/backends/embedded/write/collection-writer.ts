import { type Deadline, type ExplicitAt, NEVER } from '../../../expiry/deadline.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import { EXPLICIT_SOURCE, usesGovernedTables } from '../catalog/catalog.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import type { Database } from '../file/database.ts';
import type { RowSet } from '../rows/row-set.ts';
import { type Entry, encodeReason } from '../rows/index-entry.ts';
import { bodyBytes, readBody } from '../rows/stored-json.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { type PrecedingAction, prepareDocuments } from '../tables/documents.ts';
import { prepareKeys } from '../tables/keys.ts';
import type { Quarantined } from '../tables/quarantine.ts';
import { IndexTable } from '../tables/index-table.ts';
import type { Tables } from '../tables/tables.ts';
import type { ExplicitExpiration } from './explicit-expiration.ts';
import { NewRows } from './new-rows.ts';
import type { IncomingDocument } from './stored-document.ts';

const QUARANTINED = encodeReason('quarantined');

/** The index table of a changed definition under construction, updated by every write besides that of its index [D8]. */
export interface MaintainedSuccessor {
  readonly successor: CatalogSuccessor;
  /** Last row that the build has entered; null if complete. Advances during the build. */
  builtThroughRow: number | null;
  readonly table: IndexTable;
}

export interface MaintainedIndex {
  readonly index: CatalogIndex;
  /** Last row that the build has entered; null if complete. Advances during the build. */
  builtThroughRow: number | null;
  readonly table: IndexTable;
  /** Counts each document under its governing index only; null if the collection has a single one. */
  readonly governedTable: IndexTable | null;
}

/** An incoming document with its explicit expiration. */
export interface Arrival {
  document: IncomingDocument;
  explicit: ExplicitExpiration | null;
}

type PutEntry = (table: IndexTable, reference: number, row: number, bytes: number) => void;
const addEntry: PutEntry = (table, reference, row, bytes) => table.add(reference, row, bytes);

/**
 * One collection on the writer's connection: rows, keys and the index tables that every change updates. Every call is
 * made inside a transaction of the writer, which calls `flush` before it commits.
 */
export class CollectionWriter {
  readonly catalog: CatalogCollection;
  readonly explicit: IndexTable;
  readonly indexes: readonly MaintainedIndex[];
  readonly successors: readonly MaintainedSuccessor[];
  /** Last row counted in the governed index tables; null if all are. Advances during a recount. */
  readonly recount: { builtThroughRow: number | null };
  /** Changes of the counts on the collection's row since the last flush. */
  #documents = 0;
  #bytes = 0;
  #nextRow: number;
  readonly #rules: readonly CatalogIndex[];
  readonly #hasGovernedTables: boolean;
  readonly #tables: Tables;
  readonly #rows;
  readonly #keys;
  readonly #newRows: NewRows;

  constructor(db: Database, catalog: CatalogCollection, dead: RowSet, tables: Tables) {
    this.catalog = catalog;
    this.#tables = tables;
    this.explicit = new IndexTable(db, catalog.explicit);
    this.#hasGovernedTables = usesGovernedTables(catalog);
    this.recount = { builtThroughRow: catalog.recountedThroughRow };
    this.indexes = catalog.indexes.map(index => ({
      index,
      builtThroughRow: index.builtThroughRow,
      table: new IndexTable(db, index.table),
      governedTable:
        this.#hasGovernedTables && index.isServing && index.governedTable !== null
          ? new IndexTable(db, index.governedTable)
          : null,
    }));
    this.successors = catalog.indexes.flatMap(({ successor }) =>
      successor === null || successor.isOutdated
        ? []
        : [
            {
              successor,
              builtThroughRow: successor.builtThroughRow,
              table: new IndexTable(db, successor.table),
            },
          ],
    );
    this.#rules = catalog.indexes;
    this.#rows = prepareDocuments(db, catalog.id);
    this.#keys = prepareKeys(db, catalog.id);
    this.#newRows = new NewRows(this.#rows, this.#keys);
    this.#nextRow = (this.#rows.lastRow.get() ?? 0) + 1;
    // An interrupted sweep has freed rows that still count as dead; their numbers must not be used again yet.
    this.#nextRow = Math.max(this.#nextRow, dead.last + 1);
  }

  /** Returns the row of an `_id`; it may be dead. */
  rowOf(id: string): number | null {
    return this.#keys.rowOf.get(id) ?? null;
  }

  read(row: number): StoredRow | null {
    return this.#rows.read.get(row) ?? null;
  }

  get rules(): readonly CatalogIndex[] {
    return this.#rules;
  }

  /**
   * Writes a new row under an `_id` that has none, or whose row is dead. `leftBy` is the number of the removal that
   * moves the document here; null for an ordinary write.
   */
  insert(document: IncomingDocument, now: number, leftBy: number | null = null): number {
    const row = this.#nextRow++;
    this.#rows.insert.run(row, document.id, now, document.body, leftBy);
    this.#keys.put.run(document.id, row);
    this.#addEntries(row, document.bytes, document.value, now, null);
    this.#tally(1, document.bytes);
    return row;
  }

  /**
   * Writes those documents whose `_id` has no row, each as a new one. Returns which were written. The others must be
   * written one by one: those whose row is dead, and those with the `_id` of an earlier document of the list.
   */
  insertNew(arrivals: readonly Arrival[], now: number): boolean[] {
    const documents = arrivals.map(({ document }) => document);
    const rows = this.#newRows.insert(documents, this.#nextRow, now);
    const entries = new Map<IndexTable, Entry[]>();
    const gather = (table: IndexTable, reference: number, row: number, bytes: number) => {
      const gathered = entries.get(table);
      if (gathered === undefined) entries.set(table, [{ reference, row, bytes }]);
      else gathered.push({ reference, row, bytes });
    };
    for (const [i, { document, explicit }] of arrivals.entries()) {
      const row = rows[i] ?? null;
      if (row === null) continue;
      if (explicit !== null) this.#rows.setExplicit.run(explicit.at, explicit.afterMs, explicit.action, row);
      this.#addEntries(row, document.bytes, document.value, now, explicit?.at ?? null, gather);
      this.#tally(1, document.bytes);
      this.#nextRow = row + 1;
    }
    for (const [table, gathered] of entries) table.addAll(gathered);
    return rows.map(row => row !== null);
  }

  /** Writes a document of another store under that store's row, replacing whatever has its `_id` or its row [V5]. */
  adopt(document: StoredRow): void {
    const { row, id, updatedAt, explicitAt, explicitAfter, explicitAction, body } = document;
    for (const holder of [this.rowOf(id), row]) {
      const stored = holder === null ? null : this.read(holder);
      if (stored !== null) this.delete(stored);
    }
    this.#rows.insert.run(row, id, updatedAt, body, null);
    if (explicitAt !== null) this.#rows.setExplicit.run(explicitAt, explicitAfter, explicitAction, row);
    this.#keys.put.run(id, row);
    const bytes = bodyBytes(body);
    this.#addEntries(row, bytes, readBody(body), updatedAt, explicitAt);
    this.#tally(1, bytes);
  }

  /** Overwrites a live row; its explicit expiration stays [C3]. */
  replace(stored: StoredRow, document: IncomingDocument, now: number): void {
    const before = bodyBytes(stored.body);
    this.#removeEntries(stored, before, readBody(stored.body));
    this.#rows.replace.run(now, document.body, null, stored.row);
    this.#addEntries(stored.row, document.bytes, document.value, now, stored.explicitAt);
    this.#tally(0, document.bytes - before);
  }

  /**
   * Overwrites a live row with the result of an action that is recorded as the removal numbered `leftBy`. An explicit
   * expiration has had its effect and is cleared, which is its progress [A5].
   */
  change(stored: StoredRow, document: IncomingDocument, now: number, leftBy: number): void {
    const before = bodyBytes(stored.body);
    this.#removeEntries(stored, before, readBody(stored.body));
    if (stored.explicitAt !== null) this.#rows.setExplicit.run(null, null, null, stored.row);
    this.#rows.replace.run(now, document.body, leftBy, stored.row);
    this.#addEntries(stored.row, document.bytes, document.value, now, null);
    this.#tally(0, document.bytes - before);
  }

  /** Returns the action that left the document in its present state; null if it was written since, or the log is pruned. */
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

  /** Returns whether the rule exists: an index, ready or not, or explicit expirations. */
  hasRule(source: number): boolean {
    return source === EXPLICIT_SOURCE || this.indexes.some(({ index }) => index.id === source);
  }

  /**
   * Returns whether a rule that is ready lists the document at the reference time at which the leader quarantined it
   * [V5].
   */
  hasEntry(stored: StoredRow, { source, reference }: Quarantined): boolean {
    if (source === EXPLICIT_SOURCE) return stored.explicitAt === reference;
    const maintained = this.indexes.find(({ index }) => index.id === source);
    if (maintained === undefined || maintained.builtThroughRow !== null) return false;
    return this.entryIn(maintained, stored)?.reference === reference;
  }

  /** Quarantines a document: the rule gives it no deadline any more and counts it among its reasons [A5]. */
  quarantine(stored: StoredRow, given: Quarantined): void {
    const { row, explicitAt, updatedAt } = stored;
    const bytes = bodyBytes(stored.body);
    const value = explicitAt === null ? readBody(stored.body) : null;
    const table = this.#tableWith(given.source, row);
    const isCounted = explicitAt === null && this.#hasGovernedTables && this.#isRecounted(row);
    if (isCounted) {
      this.#withGovernedTable(row, value, updatedAt, (table, at) => table.remove(at, row, bytes));
    }
    table?.remove(given.reference, row, bytes);
    table?.add(QUARANTINED, row, bytes);
    this.#tables.quarantine.add(this.catalog.id, row, given);
    if (isCounted) {
      this.#withGovernedTable(row, value, updatedAt, (table, at) => table.add(at, row, bytes));
    }
  }

  /** Returns the index table of a source if it already lists this row; undefined if the build has not reached it. */
  #tableWith(source: number, row: number): IndexTable | undefined {
    if (source === EXPLICIT_SOURCE) return this.explicit;
    const maintained = this.indexes.find(({ index }) => index.id === source);
    return maintained !== undefined && isEntered(maintained, row) ? maintained.table : undefined;
  }

  /** Removes the quarantine entries of an index that is about to be rebuilt. Returns the rows. */
  clearQuarantine({ id }: CatalogIndex): number[] {
    return this.#tables.quarantine.releaseSource(this.catalog.id, id).map(({ row }) => row);
  }

  /**
   * Releases all documents that a changed index had quarantined, so that it retries them. Returns their rows, whose
   * governing index must be counted again.
   */
  releaseQuarantined({ index, table }: MaintainedIndex): number[] {
    const released = this.#tables.quarantine.releaseSource(this.catalog.id, index.id);
    for (const { row, reference } of released) {
      const bytes = table.bytesOf(QUARANTINED, row);
      if (bytes === null) continue;
      table.remove(QUARANTINED, row, bytes);
      table.add(reference, row, bytes);
      const leftBy = this.#rows.leftBy.get(row) ?? null;
      if (leftBy !== null) this.#tables.removals.resetHanded(leftBy);
    }
    return released.map(({ row }) => row);
  }

  /** Returns the reference times of all documents that an index has quarantined. */
  quarantinedReferences(index: number): number[] {
    return this.#tables.quarantine.ofSource(this.catalog.id, index).map(({ reference }) => reference);
  }

  /** Returns the sources that quarantined a document [A5]. */
  quarantinedBy(row: number): ReadonlySet<number> {
    return this.#tables.quarantine.sourcesOf(this.catalog.id, row);
  }

  /** Returns the document's deadline, without the rules that quarantined it. */
  deadlineOf(stored: StoredRow, value: unknown = readBody(stored.body)): Deadline<CatalogIndex> {
    return storedDeadline(stored, value, this.#rules, this.quarantinedBy(stored.row));
  }

  /** Deletes row and key at once: a delete by hand. */
  delete(stored: StoredRow): void {
    const bytes = bodyBytes(stored.body);
    this.#removeEntries(stored, bytes, readBody(stored.body));
    this.#rows.delete.run(stored.row);
    this.#keys.delete.run(stored.id, stored.row);
    this.#tally(-1, -bytes);
  }

  /** Removes a document from everything that is read; row and key stay for the sweep. */
  removeLogically(stored: StoredRow, except: IndexTable | null = null): void {
    const bytes = bodyBytes(stored.body);
    this.#removeEntries(stored, bytes, readBody(stored.body), except);
    this.#tally(-1, -bytes);
  }

  /** Counts the removal of documents whose only entry the caller has cut from its index table. */
  countRemoved(documents: number, bytes: number): void {
    this.#tally(-documents, -bytes);
  }

  /** True if each document has an entry in one index table only, so that cutting it completes the removal. */
  get hasSingleIndex(): boolean {
    return this.indexes.length <= 1 && this.successors.length === 0;
  }

  setExplicit(
    stored: StoredRow,
    { at: explicitAt, afterMs: explicitAfter, action: explicitAction }: ExplicitExpiration,
  ): void {
    const bytes = bodyBytes(stored.body);
    const value = readBody(stored.body);
    this.#removeEntries(stored, bytes, value);
    this.#rows.setExplicit.run(explicitAt, explicitAfter, explicitAction, stored.row);
    this.#addEntries(stored.row, bytes, value, stored.updatedAt, explicitAt);
  }

  /** Returns rows after `row`, in row order. */
  rowsAfter(row: number, limit: number): StoredRow[] {
    return this.#rows.after.all(row, limit);
  }

  /** Writes the collected counts; called last before a commit. */
  flush(): void {
    this.explicit.flushCounts();
    for (const { table, governedTable } of this.indexes) {
      table.flushCounts();
      governedTable?.flushCounts();
    }
    for (const { table } of this.successors) table.flushCounts();
    if (this.#documents !== 0 || this.#bytes !== 0) {
      this.#tables.collections.addCounts(this.catalog.id, this.#documents, this.#bytes);
      this.#documents = 0;
      this.#bytes = 0;
    }
  }

  /** Returns a document's entry in an index under construction; null if it has none. */
  entryIn({ index }: MaintainedIndex, { row, updatedAt, explicitAt, body }: StoredRow): Entry | null {
    if (explicitAt !== null) return null;
    const bytes = bodyBytes(body);
    // A write may have found it due, and quarantined it, before the build reached it [C4, A5].
    if (this.quarantinedBy(row).has(index.id)) return { reference: QUARANTINED, row, bytes };
    const reference = index.read(readBody(body), updatedAt);
    return { reference: 'at' in reference ? reference.at : encodeReason(reference.reason), row, bytes };
  }

  /** Returns its entry in a successor, which retries what the present definition has quarantined. */
  entryInSuccessor({ successor }: MaintainedSuccessor, stored: StoredRow): Entry | null {
    const { row, updatedAt, explicitAt, body } = stored;
    if (explicitAt !== null) return null;
    return {
      reference: referenceIn(successor, readBody(body), updatedAt),
      row,
      bytes: bodyBytes(body),
    };
  }

  /** Adds a document to the counts of its governing index, during a recount. */
  addToGovernedTable(stored: StoredRow): void {
    if (stored.explicitAt !== null) return;
    this.#withGovernedTable(stored.row, readBody(stored.body), stored.updatedAt, (table, reference) =>
      table.add(reference, stored.row, bodyBytes(stored.body)),
    );
  }

  #addEntries(
    row: number,
    bytes: number,
    value: unknown,
    updatedAt: number,
    explicitAt: ExplicitAt,
    put: PutEntry = addEntry,
  ): void {
    if (explicitAt !== null) {
      put(this.explicit, explicitAt === NEVER ? encodeReason('pinned') : explicitAt, row, bytes);
      return;
    }
    for (const maintained of this.indexes) {
      if (!isEntered(maintained, row)) continue;
      const { index, table } = maintained;
      const reference = index.read(value, updatedAt);
      put(table, 'at' in reference ? reference.at : encodeReason(reference.reason), row, bytes);
    }
    for (const maintained of this.successors)
      if (isEntered(maintained, row))
        put(maintained.table, referenceIn(maintained.successor, value, updatedAt), row, bytes);
    if (this.#hasGovernedTables && this.#isRecounted(row)) {
      this.#withGovernedTable(row, value, updatedAt, (table, reference) => put(table, reference, row, bytes));
    }
  }

  #removeEntries(
    { row, explicitAt, updatedAt }: StoredRow,
    bytes: number,
    value: unknown,
    except: IndexTable | null = null,
  ): void {
    const out = this.quarantinedBy(row);
    if (explicitAt !== null) {
      if (this.explicit !== except) {
        const reference = explicitAt === NEVER ? encodeReason('pinned') : explicitAt;
        this.explicit.remove(out.has(EXPLICIT_SOURCE) ? QUARANTINED : reference, row, bytes);
      }
    } else {
      for (const maintained of this.indexes) {
        const { index, table } = maintained;
        if (table === except || !isEntered(maintained, row)) continue;
        const reference = index.read(value, updatedAt);
        const entry = 'at' in reference ? reference.at : encodeReason(reference.reason);
        table.remove(out.has(index.id) ? QUARANTINED : entry, row, bytes);
      }
      for (const maintained of this.successors)
        if (isEntered(maintained, row))
          maintained.table.remove(referenceIn(maintained.successor, value, updatedAt), row, bytes);
      if (this.#hasGovernedTables && this.#isRecounted(row)) {
        this.#withGovernedTable(row, value, updatedAt, (table, reference) =>
          table.remove(reference, row, bytes),
        );
      }
    }
    if (out.size > 0) this.#tables.quarantine.release(this.catalog.id, row);
  }

  #isRecounted(row: number): boolean {
    return isEntered(this.recount, row);
  }

  #withGovernedTable(
    row: number,
    value: unknown,
    updatedAt: number,
    act: (table: IndexTable, reference: number) => void,
  ): void {
    const stored = { updatedAt, explicitAt: null, explicitAction: null };
    const deadline = storedDeadline(stored, value, this.#rules, this.quarantinedBy(row));
    if (deadline.kind !== 'index') return;
    const owner = this.indexes.find(({ index }) => index === deadline.rule);
    if (owner?.governedTable) act(owner.governedTable, deadline.reference);
  }

  #tally(documents: number, bytes: number): void {
    this.#documents += documents;
    this.#bytes += bytes;
  }
}

/** Returns whether a row has an entry in an index: the index is complete, or its build has passed the row. */
function isEntered({ builtThroughRow }: Pick<MaintainedIndex, 'builtThroughRow'>, row: number): boolean {
  return builtThroughRow === null || row <= builtThroughRow;
}

/** Returns a document's reference time by a successor, or its encoded reason. */
function referenceIn({ read }: CatalogSuccessor, value: unknown, updatedAt: number): number {
  const reference = read(value, updatedAt);
  return 'at' in reference ? reference.at : encodeReason(reference.reason);
}
