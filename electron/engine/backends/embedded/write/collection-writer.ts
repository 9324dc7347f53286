import { type Deadline, type ExplicitAt, NEVER } from '../../../expiry/deadline.ts';
import type { Database } from '../file/database.ts';
import type { CatalogCollection, CatalogIndex, CatalogSuccessor } from '../tables/catalog.ts';
import { EXPLICIT_SOURCE, usesGoverned } from '../tables/catalog.ts';
import { type HandOver, prepareDocuments } from '../tables/documents.ts';
import { prepareKeys } from '../tables/keys.ts';
import type { Quarantined } from '../tables/quarantine.ts';
import type { RowSet } from '../tables/row-set.ts';
import { type Entry, encodeReason } from '../tables/side-entry.ts';
import { SideTable } from '../tables/side-table.ts';
import { bodyBytes, readBody, type StoredAction } from '../tables/stored-json.ts';
import { type StoredRow, storedDeadline } from '../tables/stored-row.ts';
import type { Tables } from '../tables/tables.ts';
import type { ExplicitExpiration } from './explicit-expiration.ts';
import { NewRows } from './new-rows.ts';
import type { IncomingDocument } from './stored-document.ts';

const QUARANTINED = encodeReason('quarantined');

/** The side table of a successor that is built, kept true by every write beside that of its index [D8]. */
export interface MaintainedSuccessor {
  readonly successor: CatalogSuccessor;
  /** Rows up to here are in it, null: all. Moves on while it is built. */
  built: number | null;
  readonly side: SideTable;
}

export interface MaintainedIndex {
  readonly index: CatalogIndex;
  /** Rows up to here are in it, null: all. Moves on while it is built. */
  built: number | null;
  readonly side: SideTable;
  readonly governed: SideTable | null;
}

/** A document to be written, and the explicit expiration that it brings. */
export interface Arrival {
  document: IncomingDocument;
  explicit: ExplicitExpiration | null;
}

type PutEntry = (table: SideTable, reference: number, row: number, bytes: number) => void;
const addEntry: PutEntry = (table, reference, row, bytes) => table.add(reference, row, bytes);

/**
 * One collection on the writer's connection: rows, keys and the side tables that go with every change of them.
 * Every call is made inside a transaction of the writer, which then asks for `flush`.
 */
export class CollectionWriter {
  readonly catalog: CatalogCollection;
  readonly explicit: SideTable;
  readonly indexes: readonly MaintainedIndex[];
  readonly successors: readonly MaintainedSuccessor[];
  /** Rows up to `built` are in the governed tables, null: all. Moves on while they are made again. */
  readonly recount: { built: number | null };
  /** Changes of the counts on the collection's row, since the last flush. */
  #documents = 0;
  #bytes = 0;
  #nextRow: number;
  readonly #rules: readonly CatalogIndex[];
  readonly #counted: boolean;
  readonly #tables: Tables;
  readonly #rows;
  readonly #keys;
  readonly #newRows: NewRows;

  constructor(db: Database, catalog: CatalogCollection, dead: RowSet, tables: Tables) {
    this.catalog = catalog;
    this.#tables = tables;
    this.explicit = new SideTable(db, catalog.explicit);
    this.#counted = usesGoverned(catalog);
    this.recount = { built: catalog.recounted };
    this.indexes = catalog.indexes.map(index => ({
      index,
      built: index.built,
      side: new SideTable(db, index.side),
      governed:
        this.#counted && index.isServing && index.governed !== null
          ? new SideTable(db, index.governed)
          : null,
    }));
    this.successors = catalog.indexes.flatMap(({ successor }) =>
      successor === null || successor.isOutdated
        ? []
        : [{ successor, built: successor.built, side: new SideTable(db, successor.side) }],
    );
    this.#rules = catalog.indexes;
    this.#rows = prepareDocuments(db, catalog.id);
    this.#keys = prepareKeys(db, catalog.id);
    this.#newRows = new NewRows(this.#rows, this.#keys);
    this.#nextRow = (this.#rows.lastRow.get() ?? 0) + 1;
    // A sweep that was cut short has freed rows that still count as dead: those numbers are not free yet.
    this.#nextRow = Math.max(this.#nextRow, dead.last + 1);
  }

  /** The row an `_id` stands for; it may be dead. */
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
   * Writes a new row under an `_id` that has none, or whose row is dead. `leftBy` is the number of the removal that moves it
   * here; null: it is written by hand.
   */
  insert(document: IncomingDocument, now: number, leftBy: number | null = null): number {
    const row = this.#nextRow++;
    this.#rows.insert.run(row, document.id, now, document.body, leftBy);
    this.#keys.put.run(document.id, row);
    this.#enter(row, document.bytes, document.value, now, null);
    this.#tally(1, document.bytes);
    return row;
  }

  /**
   * Writes those of many documents whose `_id` has no row, each under a new one. Answers which those were; the others are left
   * to be written one by one, those whose row is dead among them, and those that have the `_id` of an earlier one.
   */
  insertNew(arrivals: readonly Arrival[], now: number): boolean[] {
    const documents = arrivals.map(({ document }) => document);
    const rows = this.#newRows.insert(documents, this.#nextRow, now);
    const entries = new Map<SideTable, Entry[]>();
    const gather = (table: SideTable, reference: number, row: number, bytes: number) => {
      const gathered = entries.get(table);
      if (gathered === undefined) entries.set(table, [{ reference, row, bytes }]);
      else gathered.push({ reference, row, bytes });
    };
    for (const [i, { document, explicit }] of arrivals.entries()) {
      const row = rows[i] ?? null;
      if (row === null) continue;
      if (explicit !== null) this.#rows.setExplicit.run(explicit.at, explicit.afterMs, explicit.action, row);
      this.#enter(row, document.bytes, document.value, now, explicit?.at ?? null, gather);
      this.#tally(1, document.bytes);
      this.#nextRow = row + 1;
    }
    for (const [table, gathered] of entries) table.addAll(gathered);
    return rows.map(row => row !== null);
  }

  /** Writes a document as another store has it, under that store's row, over whatever has its `_id` or its row [V5]. */
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
    this.#enter(row, bytes, readBody(body), updatedAt, explicitAt);
    this.#tally(1, bytes);
  }

  /** Writes over a live row; its explicit expiration stays [C3]. */
  replace(stored: StoredRow, document: IncomingDocument, now: number): void {
    const before = bodyBytes(stored.body);
    this.#leave(stored, before, readBody(stored.body));
    this.#rows.replace.run(now, document.body, null, stored.row);
    this.#enter(stored.row, document.bytes, document.value, now, stored.explicitAt);
    this.#tally(0, document.bytes - before);
  }

  /**
   * The same by the expiration that is written down as the removal numbered `leftBy`: an explicit one has had its effect and
   * is cleared, which is its progress [A5].
   */
  change(stored: StoredRow, document: IncomingDocument, now: number, leftBy: number): void {
    const before = bodyBytes(stored.body);
    this.#leave(stored, before, readBody(stored.body));
    if (stored.explicitAt !== null) this.#rows.setExplicit.run(null, null, null, stored.row);
    this.#rows.replace.run(now, document.body, leftBy, stored.row);
    this.#enter(stored.row, document.bytes, document.value, now, null);
    this.#tally(0, document.bytes - before);
  }

  /** The action that left a document as it is; null: it was written by hand since, or the log no longer tells. */
  handOver({ row }: StoredRow): HandOver | null {
    return this.#rows.handOver.get(row) ?? null;
  }

  /**
   * True where a document is as the action of one removal left it: neither written nor given an expiration since, by nobody.
   * The removal's number says that of exactly one change; an instant does not, since much can happen in a millisecond.
   */
  isLeftBy({ row }: StoredRow, removal: number): boolean {
    return this.#rows.isLeftBy.get(row, removal) !== undefined;
  }

  /** Whether there is a rule of that number: an index, ready or not, or expirations set by hand. */
  hasRule(source: number): boolean {
    return source === EXPLICIT_SOURCE || this.indexes.some(({ index }) => index.id === source);
  }

  /** Whether a rule that is ready has the document at the reference time at which it gave up on it elsewhere [V5]. */
  hasEntry(stored: StoredRow, { source, reference }: Quarantined): boolean {
    if (source === EXPLICIT_SOURCE) return stored.explicitAt === reference;
    const maintained = this.indexes.find(({ index }) => index.id === source);
    if (maintained === undefined || maintained.built !== null) return false;
    return this.entryIn(maintained, stored)?.reference === reference;
  }

  /** Leaves it as it is: one rule gives it no deadline any more, and counts it among its reasons [A5]. */
  quarantine(stored: StoredRow, given: Quarantined): void {
    const { row, explicitAt, updatedAt } = stored;
    const bytes = bodyBytes(stored.body);
    const value = explicitAt === null ? readBody(stored.body) : null;
    const table = this.#tableWith(given.source, row);
    const isGoverned = explicitAt === null && this.#counted && this.#isRecounted(row);
    if (isGoverned) {
      this.#eachGoverned(row, value, updatedAt, (governed, at) => governed.remove(at, row, bytes));
    }
    table?.remove(given.reference, row, bytes);
    table?.add(QUARANTINED, row, bytes);
    this.#tables.quarantine.add(this.catalog.id, row, given);
    if (isGoverned) {
      this.#eachGoverned(row, value, updatedAt, (governed, at) => governed.add(at, row, bytes));
    }
  }

  /** The side table of a source, if this row has an entry there by now; undefined: its index is still to be built so far. */
  #tableWith(source: number, row: number): SideTable | undefined {
    if (source === EXPLICIT_SOURCE) return this.explicit;
    const maintained = this.indexes.find(({ index }) => index.id === source);
    return maintained !== undefined && isEntered(maintained, row) ? maintained.side : undefined;
  }

  /** Forgets what an index has given up on, whose entries are all to be made anew; answers the rows. */
  forgetGivenUp({ id }: CatalogIndex): number[] {
    return this.#tables.quarantine.releaseSource(this.catalog.id, id).map(({ row }) => row);
  }

  /**
   * An index has changed, and looks anew at all it had given up on; answers their rows. What governs them has to be
   * counted again.
   */
  releaseAll({ index, side }: MaintainedIndex): number[] {
    const released = this.#tables.quarantine.releaseSource(this.catalog.id, index.id);
    for (const { row, reference } of released) {
      const bytes = side.bytesOf(QUARANTINED, row);
      if (bytes === null) continue;
      side.remove(QUARANTINED, row, bytes);
      side.add(reference, row, bytes);
      const leftBy = this.#rows.leftBy.get(row) ?? null;
      if (leftBy !== null) this.#tables.removals.resetHanded(leftBy);
    }
    return released.map(({ row }) => row);
  }

  /** The reference times of all that an index has given up on. */
  givenUpBy(index: number): number[] {
    return this.#tables.quarantine.ofSource(this.catalog.id, index).map(({ reference }) => reference);
  }

  /** The sources that have given up on a document [A5]. */
  outOf(row: number): ReadonlySet<number> {
    return this.#tables.quarantine.sourcesOf(this.catalog.id, row);
  }

  /** Its deadline, whatever has given up on it left out. */
  deadlineOf(stored: StoredRow, value: unknown = readBody(stored.body)): Deadline<CatalogIndex> {
    return storedDeadline(stored, value, this.#rules, this.outOf(stored.row));
  }

  /** Frees row and key at once: a delete by hand. */
  delete(stored: StoredRow): void {
    const bytes = bodyBytes(stored.body);
    this.#leave(stored, bytes, readBody(stored.body));
    this.#rows.delete.run(stored.row);
    this.#keys.delete.run(stored.id, stored.row);
    this.#tally(-1, -bytes);
  }

  /** Takes a document out of everything that is read; row and key stay for the sweep. */
  cut(stored: StoredRow, except: SideTable | null = null): void {
    const bytes = bodyBytes(stored.body);
    this.#leave(stored, bytes, readBody(stored.body), except);
    this.#tally(-1, -bytes);
  }

  /** The same for documents whose only entry the caller has cut from its side table. */
  countRemoved(documents: number, bytes: number): void {
    this.#tally(-documents, -bytes);
  }

  /** True where a document has entries in one side table only, so that cutting that is all. */
  get hasSingleIndex(): boolean {
    return this.indexes.length <= 1 && this.successors.length === 0;
  }

  setExplicit(
    stored: StoredRow,
    explicitAt: ExplicitAt,
    explicitAfter: number | null,
    explicitAction: StoredAction | null,
  ): void {
    const bytes = bodyBytes(stored.body);
    const value = readBody(stored.body);
    this.#leave(stored, bytes, value);
    this.#rows.setExplicit.run(explicitAt, explicitAfter, explicitAction, stored.row);
    this.#enter(stored.row, bytes, value, stored.updatedAt, explicitAt);
  }

  /** Rows after `row`, in row order. */
  rowsAfter(row: number, limit: number): StoredRow[] {
    return this.#rows.after.all(row, limit);
  }

  /** Puts the gathered counts where they belong; the last thing before a commit. */
  flush(): void {
    this.explicit.flushCounts();
    for (const { side, governed } of this.indexes) {
      side.flushCounts();
      governed?.flushCounts();
    }
    for (const { side } of this.successors) side.flushCounts();
    if (this.#documents !== 0 || this.#bytes !== 0) {
      this.#tables.collections.addCounts(this.catalog.id, this.#documents, this.#bytes);
      this.#documents = 0;
      this.#bytes = 0;
    }
  }

  /** A document's entry in one index being built; null: it has none. */
  entryIn({ index }: MaintainedIndex, { row, updatedAt, explicitAt, body }: StoredRow): Entry | null {
    if (explicitAt !== null) return null;
    const bytes = bodyBytes(body);
    // A write may have found it due before the build came to it, and could not complete the action [C4, A5].
    if (this.outOf(row).has(index.id)) return { reference: QUARANTINED, row, bytes };
    const reference = index.read(readBody(body), updatedAt);
    return { reference: 'at' in reference ? reference.at : encodeReason(reference.reason), row, bytes };
  }

  /** The same in a successor: whatever the present definition has given up on, it looks at anew. */
  entryInSuccessor({ successor }: MaintainedSuccessor, stored: StoredRow): Entry | null {
    const { row, updatedAt, explicitAt, body } = stored;
    if (explicitAt !== null) return null;
    return {
      reference: referenceIn(successor, readBody(body), updatedAt),
      row,
      bytes: bodyBytes(body),
    };
  }

  /** A document's entry in the governed table it belongs to, where those are being made again. */
  enterGoverned(stored: StoredRow): void {
    if (stored.explicitAt !== null) return;
    this.#eachGoverned(stored.row, readBody(stored.body), stored.updatedAt, (table, reference) =>
      table.add(reference, stored.row, bodyBytes(stored.body)),
    );
  }

  #enter(
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
      const { index, side } = maintained;
      const reference = index.read(value, updatedAt);
      put(side, 'at' in reference ? reference.at : encodeReason(reference.reason), row, bytes);
    }
    for (const maintained of this.successors)
      if (isEntered(maintained, row))
        put(maintained.side, referenceIn(maintained.successor, value, updatedAt), row, bytes);
    if (this.#counted && this.#isRecounted(row)) {
      this.#eachGoverned(row, value, updatedAt, (table, reference) => put(table, reference, row, bytes));
    }
  }

  #leave(
    { row, explicitAt, updatedAt }: StoredRow,
    bytes: number,
    value: unknown,
    except: SideTable | null = null,
  ): void {
    const out = this.outOf(row);
    if (explicitAt !== null) {
      if (this.explicit !== except) {
        const reference = explicitAt === NEVER ? encodeReason('pinned') : explicitAt;
        this.explicit.remove(out.has(EXPLICIT_SOURCE) ? QUARANTINED : reference, row, bytes);
      }
    } else {
      for (const maintained of this.indexes) {
        const { index, side } = maintained;
        if (side === except || !isEntered(maintained, row)) continue;
        const reference = index.read(value, updatedAt);
        const entry = 'at' in reference ? reference.at : encodeReason(reference.reason);
        side.remove(out.has(index.id) ? QUARANTINED : entry, row, bytes);
      }
      for (const maintained of this.successors)
        if (isEntered(maintained, row))
          maintained.side.remove(referenceIn(maintained.successor, value, updatedAt), row, bytes);
      if (this.#counted && this.#isRecounted(row)) {
        this.#eachGoverned(row, value, updatedAt, (table, reference) => table.remove(reference, row, bytes));
      }
    }
    if (out.size > 0) this.#tables.quarantine.release(this.catalog.id, row);
  }

  #isRecounted(row: number): boolean {
    return isEntered(this.recount, row);
  }

  #eachGoverned(
    row: number,
    value: unknown,
    updatedAt: number,
    act: (table: SideTable, reference: number) => void,
  ): void {
    const stored = { updatedAt, explicitAt: null, explicitAction: null };
    const deadline = storedDeadline(stored, value, this.#rules, this.outOf(row));
    if (deadline.kind !== 'index') return;
    const owner = this.indexes.find(({ index }) => index === deadline.rule);
    if (owner?.governed) act(owner.governed, deadline.reference);
  }

  #tally(documents: number, bytes: number): void {
    this.#documents += documents;
    this.#bytes += bytes;
  }
}

/** True where a row has an entry in an index: a build has passed it, or there is none. */
function isEntered({ built }: Pick<MaintainedIndex, 'built'>, row: number): boolean {
  return built === null || row <= built;
}

/** A document's reference time by a successor, or its reason as entries have it. */
function referenceIn({ read }: CatalogSuccessor, value: unknown, updatedAt: number): number {
  const reference = read(value, updatedAt);
  return 'at' in reference ? reference.at : encodeReason(reference.reason);
}
