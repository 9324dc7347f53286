import { type Entry, encodeReason } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { type Deadline, type ExplicitAt, NEVER } from '../../../expiry/deadline.ts';
import { type CatalogCollection, EXPLICIT_SOURCE, usesGovernedTables } from '../catalog/catalog.ts';
import type { CatalogIndex, CatalogSuccessor } from '../catalog/catalog-index.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import { bodyBytes, readBody } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Quarantine, Quarantined } from '../tables/quarantine.ts';
import type { GatheredEntries } from './gathered-entries.ts';
import type { IndexTables } from './index-tables.ts';

const QUARANTINED = encodeReason('quarantined');
const COMPLETE: BuiltRows = { builtThroughRow: null, gathered: null, rowsWithLeftovers: null };

/** How far the tables of one build list the documents. */
export interface BuiltRows {
  /** Last row that the build has read; null if complete. Advances during the build. */
  builtThroughRow: number | null;
  /** Entries of rows up to that one that are not written yet. */
  gathered: GatheredEntries | null;
  /**
   * So many of the next rows may have entries in the tables, from an interrupted build; null: not known yet. Decreases
   * during the build.
   */
  rowsWithLeftovers: number | null;
}

/**
 * The index table of a changed definition under construction, updated by every write besides that of its index [D8].
 */
export interface MaintainedSuccessor extends BuiltRows {
  readonly successor: CatalogSuccessor;
  readonly table: IndexTable;
}

export interface MaintainedIndex extends BuiltRows {
  readonly index: CatalogIndex;
  readonly table: IndexTable;
  /** Counts each document under its governing index only; null if the collection has a single one. */
  readonly governedTable: IndexTable | null;
}

export type PutEntry = (table: IndexTable, reference: number, row: number, bytes: number) => void;
const addEntry: PutEntry = (table, reference, row, bytes) => table.add(reference, row, bytes);

/**
 * The entries of one collection's documents in its index tables, which every write keeps up to date: one per TTL index,
 * or one in the table of explicit expirations; and the documents that an index has quarantined [A5].
 */
export class IndexEntries {
  readonly explicit: IndexTable;
  readonly indexes: readonly MaintainedIndex[];
  readonly successors: readonly MaintainedSuccessor[];
  /** The recount of the governed tables. */
  readonly recount: BuiltRows;
  readonly rules: readonly CatalogIndex[];
  readonly #collection: number;
  readonly #hasGovernedTables: boolean;
  readonly #quarantine: Quarantine;

  constructor(catalog: CatalogCollection, quarantine: Quarantine, tables: IndexTables) {
    this.#collection = catalog.id;
    this.#quarantine = quarantine;
    this.rules = catalog.indexes;
    this.explicit = tables.of(catalog.explicit);
    this.#hasGovernedTables = usesGovernedTables(catalog);
    this.recount = { builtThroughRow: catalog.recountedThroughRow, gathered: null, rowsWithLeftovers: null };
    this.indexes = catalog.indexes.map(index => ({
      index,
      builtThroughRow: index.builtThroughRow,
      gathered: null,
      rowsWithLeftovers: null,
      table: tables.of(index.table),
      governedTable:
        this.#hasGovernedTables && index.isServing && index.governedTable !== null
          ? tables.of(index.governedTable)
          : null,
    }));
    this.successors = catalog.indexes.flatMap(({ successor }) =>
      successor === null || successor.isOutdated
        ? []
        : [
            {
              successor,
              builtThroughRow: successor.builtThroughRow,
              gathered: null,
              rowsWithLeftovers: null,
              table: tables.of(successor.table),
            },
          ],
    );
  }

  /** Whether a build of one of the tables is under way. */
  get isBuilding(): boolean {
    return [this.recount, ...this.indexes, ...this.successors].some(
      ({ builtThroughRow }) => builtThroughRow !== null,
    );
  }

  /** True if each document has an entry in one index table only, so that cutting it completes the removal. */
  get hasSingleIndex(): boolean {
    return this.indexes.length <= 1 && this.successors.length === 0;
  }

  /** Returns the document's deadline, without the rules that quarantined it. */
  deadlineOf(stored: StoredRow, value: unknown = readBody(stored.body)): Deadline<CatalogIndex> {
    return storedDeadline(stored, value, this.rules, this.quarantinedBy(stored.row));
  }

  /** `put`: collects the entries instead of writing them. */
  add(
    row: number,
    bytes: number,
    value: unknown,
    updatedAt: number,
    explicitAt: ExplicitAt,
    put: PutEntry = addEntry,
  ): void {
    if (explicitAt !== null) {
      put(this.explicit, explicitEntry(explicitAt), row, bytes);
      return;
    }
    for (const maintained of this.indexes) {
      if (isEntered(maintained, row))
        put(maintained.table, entryOf(maintained.index, value, updatedAt), row, bytes);
    }
    for (const maintained of this.successors) {
      if (isEntered(maintained, row))
        put(maintained.table, entryOf(maintained.successor, value, updatedAt), row, bytes);
    }
    if (this.#hasGovernedTables && isEntered(this.recount, row)) {
      const governing = this.#governing(row, value, updatedAt);
      if (governing !== null) put(governing.table, governing.reference, row, bytes);
    }
  }

  /**
   * Removes a document's entries, except that in the table `except`, which the caller removes. Ends the document's
   * quarantine. A row that a build has not reached may have entries too: the build was interrupted while it wrote them.
   */
  remove(
    { row, explicitAt, updatedAt }: StoredRow,
    bytes: number,
    value: unknown,
    except: IndexTable | null = null,
  ): void {
    const quarantinedBy = this.quarantinedBy(row);
    if (explicitAt !== null) {
      if (this.explicit !== except) {
        const isQuarantined = quarantinedBy.has(EXPLICIT_SOURCE);
        this.explicit.remove(isQuarantined ? QUARANTINED : explicitEntry(explicitAt), row, bytes);
      }
    } else {
      for (const maintained of this.indexes) {
        const { index, table } = maintained;
        if (table === except) continue;
        dropGathered(maintained, row);
        const reference = entryOf(index, value, updatedAt);
        table.remove(quarantinedBy.has(index.id) ? QUARANTINED : reference, row, bytes);
      }
      for (const maintained of this.successors) {
        dropGathered(maintained, row);
        maintained.table.remove(entryOf(maintained.successor, value, updatedAt), row, bytes);
      }
      if (this.#hasGovernedTables) this.#removeFromGovernedTable(row, bytes, value, updatedAt);
    }
    if (quarantinedBy.size > 0) this.#quarantine.release(this.#collection, row);
  }

  /** Returns a document's entry in an index under construction; null if it has none. */
  inIndex({ index }: MaintainedIndex, { row, updatedAt, explicitAt, body }: StoredRow): Entry | null {
    if (explicitAt !== null) return null;
    const bytes = bodyBytes(body);
    // A write may have found it due, and quarantined it, before the build reached it [C4, A5].
    if (this.quarantinedBy(row).has(index.id)) return { reference: QUARANTINED, row, bytes };
    return { reference: entryOf(index, readBody(body), updatedAt), row, bytes };
  }

  /** Returns its entry in a successor, which retries documents that the present definition has quarantined. */
  inSuccessor({ successor }: MaintainedSuccessor, stored: StoredRow): Entry | null {
    const { row, updatedAt, explicitAt, body } = stored;
    if (explicitAt !== null) return null;
    return { reference: entryOf(successor, readBody(body), updatedAt), row, bytes: bodyBytes(body) };
  }

  /** Returns a document's entry in the table of its governing index, and that table; null if it has none. */
  inGovernedTable({
    row,
    updatedAt,
    explicitAt,
    body,
  }: StoredRow): { table: IndexTable; entry: Entry } | null {
    const found = explicitAt === null ? this.#governing(row, readBody(body), updatedAt) : null;
    return (
      found && { table: found.table, entry: { reference: found.reference, row, bytes: bodyBytes(body) } }
    );
  }

  /** Returns the table of an index or, for EXPLICIT_SOURCE, of explicit expirations; null if there is no such index. */
  tableOf(source: number): IndexTable | null {
    if (source === EXPLICIT_SOURCE) return this.explicit;
    return this.indexes.find(({ index }) => index.id === source)?.table ?? null;
  }

  /** Returns whether the rule exists: an index, ready or not, or explicit expirations. */
  hasRule(source: number): boolean {
    return source === EXPLICIT_SOURCE || this.indexes.some(({ index }) => index.id === source);
  }

  /**
   * Returns whether a rule that is ready lists the document at the reference time at which the leader quarantined it
   * [V5].
   */
  has(stored: StoredRow, { source, reference }: Quarantined): boolean {
    if (source === EXPLICIT_SOURCE) return stored.explicitAt === reference;
    const maintained = this.indexes.find(({ index }) => index.id === source);
    if (maintained === undefined || maintained.builtThroughRow !== null) return false;
    return this.inIndex(maintained, stored)?.reference === reference;
  }

  /** Quarantines a document: the rule gives it no deadline any more and counts it among its reasons [A5]. */
  quarantine(stored: StoredRow, given: Quarantined): void {
    const { row, explicitAt, updatedAt } = stored;
    const bytes = bodyBytes(stored.body);
    const value = explicitAt === null ? readBody(stored.body) : null;
    const maintained = this.indexes.find(({ index }) => index.id === given.source);
    const rows: BuiltRows = maintained ?? COMPLETE;
    const table = given.source === EXPLICIT_SOURCE ? this.explicit : maintained?.table;
    const isCounted = explicitAt === null && this.#hasGovernedTables;
    if (isCounted) this.#removeFromGovernedTable(row, bytes, value, updatedAt);
    dropGathered(rows, row);
    table?.remove(given.reference, row, bytes);
    if (isEntered(rows, row)) table?.add(QUARANTINED, row, bytes);
    this.#quarantine.add(this.#collection, row, given);
    if (isCounted && isEntered(this.recount, row)) {
      const governing = this.#governing(row, value, updatedAt);
      governing?.table.add(governing.reference, row, bytes);
    }
  }

  /** Removes the quarantine records of an index that is about to be rebuilt. Returns the rows. */
  clearQuarantine({ id }: CatalogIndex): number[] {
    return this.#quarantine.releaseSource(this.#collection, id).map(({ row }) => row);
  }

  /**
   * Releases all documents that a changed index had quarantined, so that it retries them. Returns their rows;
   * `isEntered` if the index lists the row.
   */
  releaseQuarantined({ index, table }: MaintainedIndex): { row: number; isEntered: boolean }[] {
    return this.#quarantine.releaseSource(this.#collection, index.id).map(({ row, reference }) => {
      const bytes = table.bytesOf(QUARANTINED, row);
      if (bytes === null) return { row, isEntered: false };
      table.remove(QUARANTINED, row, bytes);
      table.add(reference, row, bytes);
      return { row, isEntered: true };
    });
  }

  /** Returns the reference times of all documents that an index has quarantined. */
  quarantinedReferences(index: number): number[] {
    return this.#quarantine.ofSource(this.#collection, index).map(({ reference }) => reference);
  }

  /** Returns the sources that quarantined a document [A5]. */
  quarantinedBy(row: number): ReadonlySet<number> {
    return this.#quarantine.sourcesOf(this.#collection, row);
  }

  /** Writes the collected counts of every index table; called before a commit. */
  flushCounts(): void {
    this.explicit.flushCounts();
    for (const { table, governedTable } of this.indexes) {
      table.flushCounts();
      governedTable?.flushCounts();
    }
    for (const { table } of this.successors) table.flushCounts();
  }

  #removeFromGovernedTable(row: number, bytes: number, value: unknown, updatedAt: number): void {
    dropGathered(this.recount, row);
    const governing = this.#governing(row, value, updatedAt);
    governing?.table.remove(governing.reference, row, bytes);
  }

  /** Returns the governed table that counts a document, and its reference time there; null if none does. */
  #governing(
    row: number,
    value: unknown,
    updatedAt: number,
  ): { table: IndexTable; reference: number } | null {
    const stored = { updatedAt, explicitAt: null, explicitAction: null };
    const deadline = storedDeadline(stored, value, this.rules, this.quarantinedBy(row));
    if (deadline.kind !== 'index') return null;
    const table = this.indexes.find(({ index }) => index === deadline.rule)?.governedTable ?? null;
    return table && { table, reference: deadline.reference };
  }
}

/** Returns whether writes enter a row: the index is complete, or its build has passed the row. */
function isEntered({ builtThroughRow }: BuiltRows, row: number): boolean {
  return builtThroughRow === null || row <= builtThroughRow;
}

/** Drops the gathered entries of a row that is being written. A row that is not read yet has none. */
function dropGathered(rows: BuiltRows, row: number): void {
  if (isEntered(rows, row)) rows.gathered?.drop(row);
}

/** Returns a document's reference time by an index or a successor, or its encoded reason. */
function entryOf(rule: CatalogIndex | CatalogSuccessor, value: unknown, updatedAt: number): number {
  const reference = rule.read(value, updatedAt);
  return 'at' in reference ? reference.at : encodeReason(reference.reason);
}

function explicitEntry(explicitAt: NonNullable<ExplicitAt>): number {
  return explicitAt === NEVER ? encodeReason('pinned') : explicitAt;
}
