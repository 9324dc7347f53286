import type { ExpireAction } from '../../../../../shared/model/ttl-index.ts';
import type { ExpiryCountsTable } from '../../../deadline-index/expiry-counts.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import { bodyBytes, type StoredBody } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { ExpiredIntervalsTable, NewInterval } from '../tables/removals/expired-intervals-table.ts';
import type { NewDeletion } from '../tables/removals/packed-removals.ts';
import { DELETED_SOURCE } from '../tables/removals/removal.ts';
import type { RemovalsTable } from '../tables/removals/removals.ts';
import type { RetainedCopies } from '../tables/removals/retained-copies.ts';
import type { Transaction } from '../tables/transaction.ts';

export interface Removal {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  row: number;
  id: string;
  /** Epoch ms. */
  deadlineAt: number;
  /** The action; `gone` is whether the document left its collection. */
  action: ExpireAction;
  gone: boolean;
  /** The former text of a document that stays, changed: kept so that it can be restored [X4]. */
  before?: StoredBody;
  /** Target collection of a move. */
  movedTo?: number;
  /** How many actions in a row had left it due at once before this one [A5]. */
  actionsBefore?: number;
}

/** Documents that one source deletes in one batch. */
export interface Deletions {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  source: number;
  entries: readonly NewDeletion[];
  /** Deadline minus reference time, ms. */
  addMs: number;
}

/** The tables that a removal is recorded in. */
export interface RemovalTables {
  readonly removals: RemovalsTable;
  readonly expiredIntervals: ExpiredIntervalsTable;
  readonly expiryCounts: ExpiryCountsTable;
}

/** The part of the restorable copies that the log of removals uses. */
type Copies = Pick<RetainedCopies, 'keepUntilAt' | 'keepBefore' | 'releaseBeyondLimit'>;

/** The copies of a mirror: it has none, since expired documents are restored on its leader [X4]. */
export const NO_COPIES: Copies = { keepUntilAt: () => 0, keepBefore() {}, releaseBeyondLimit() {} };

/** Records what left its collection or was changed at its deadline: rows of `removals`, and counts by removal time [X2]. */
export class RemovalLog {
  #nextSequence: number;
  readonly #removals: RemovalsTable;
  readonly #intervals: ExpiredIntervalsTable;
  readonly #counts: ExpiryCountsTable;
  readonly #retained: Copies;

  constructor({ removals, expiredIntervals, expiryCounts }: RemovalTables, retained: Copies) {
    this.#removals = removals;
    this.#intervals = expiredIntervals;
    this.#counts = expiryCounts;
    this.#retained = retained;
    this.#nextSequence = removals.nextSeq();
  }

  /** `seq` of the next removal. */
  get next(): number {
    return this.#nextSequence;
  }

  /** Like `append`, for documents of which only `_id`, row and reference time are recorded: many in one row. */
  appendDeletions(
    transaction: Transaction,
    collection: CatalogCollection,
    { source, entries, addMs }: Deletions,
    pass: number,
  ): void {
    const { revision, at } = transaction;
    transaction.noteRemovals(this.#nextSequence, entries.length);
    transaction.deletions.push({
      first: this.#nextSequence,
      collection: collection.id,
      rows: entries.map(({ row }) => row),
    });
    // A removal's position in its revision is its number minus this one.
    const first = this.#nextSequence - transaction.length;
    const keepUntilAt = this.#keepUntilAt(collection, at)(source);
    this.#removals.insertDeletions(
      { revision, first, collection: collection.id, source, addMs, at, pass, keepUntilAt },
      entries,
      this.#nextSequence,
    );
    this.#nextSequence += entries.length;
    this.#counts.add(collection.id, source, at, entries.length);
  }

  /**
   * Records documents that one index deletes as an interval of its table, however many: the sweep lists them in
   * `removals`, under the numbers that are reserved here. Called in a transaction without other changes.
   */
  appendInterval(
    transaction: Transaction,
    collection: CatalogCollection,
    interval: Pick<
      NewInterval,
      'documents' | 'source' | 'table' | 'after' | 'through' | 'definition' | 'addMs' | 'lastRow' | 'pass'
    >,
  ): void {
    const { revision, at } = transaction;
    const { documents, source } = interval;
    transaction.noteRemovals(this.#nextSequence, documents);
    this.#intervals.insert({
      ...interval,
      first: this.#nextSequence,
      revision,
      collection: collection.id,
      removedAt: at,
      keepUntilAt: this.#keepUntilAt(collection, at)(source),
    });
    this.#nextSequence += documents;
    this.#counts.add(collection.id, source, at, documents);
  }

  /** Takes back the numbers of the latest removals, which were only rehearsed. A failed transaction leaves a gap in the numbers. */
  takeBack(documents: number): void {
    this.#nextSequence -= documents;
  }

  /** `pass` is 0 if a write completed the expiry and not the reaper [C4]. */
  append(
    transaction: Transaction,
    collection: CatalogCollection,
    removals: readonly Removal[],
    pass = 0,
  ): void {
    const { revision, at } = transaction;
    let position = transaction.length;
    transaction.noteRemovals(this.#nextSequence, removals.length);
    const bySource = new Map<number, number>();
    const keepUntilAtOf = this.#keepUntilAt(collection, at);
    for (const { source, row, id, deadlineAt, action, gone, before, movedTo, actionsBefore } of removals) {
      const seq = this.#nextSequence++;
      const keepUntilAt = keepUntilAtOf(source);
      if (before !== undefined) this.#retained.keepBefore(seq, keepUntilAt, before);
      this.#removals.insert({
        seq,
        revision,
        position: position++,
        collection: collection.id,
        source,
        row,
        id,
        deadlineAt,
        at,
        pass,
        action,
        gone,
        keepUntilAt,
        movedTo: movedTo ?? null,
        actionsBefore: actionsBefore ?? 0,
      });
      bySource.set(source, (bySource.get(source) ?? 0) + 1);
    }
    for (const [source, documents] of bySource) this.#counts.add(collection.id, source, at, documents);
  }

  /**
   * Keeps a copy of a document that is deleted by hand [X4]. It is no expiry: neither the change log nor the counts
   * refer to its row. Called in a transaction without expiries, whose rows have consecutive numbers.
   */
  keepDeleted({ revision, at, length }: Transaction, collection: CatalogCollection, stored: StoredRow): void {
    const keepUntilAt = this.#retained.keepUntilAt(null, at);
    if (keepUntilAt === 0) return;
    const seq = this.#nextSequence++;
    const { row, id, body } = stored;
    this.#retained.keepBefore(seq, keepUntilAt, body);
    this.#removals.insert({
      seq,
      revision,
      position: length,
      collection: collection.id,
      source: DELETED_SOURCE,
      row,
      id,
      deadlineAt: at,
      at,
      pass: 0,
      action: 'delete',
      // The row is freed at once: there is no tombstone.
      gone: false,
      keepUntilAt,
      movedTo: null,
      actionsBefore: 0,
    });
    this.#retained.releaseBeyondLimit(bodyBytes(body));
  }

  /** Returns a function that finds until when removals of a source at `at` are restorable, computed once per source. */
  #keepUntilAt({ indexes }: CatalogCollection, at: number): (source: number) => number {
    const known = new Map<number, number>();
    return source => {
      let until = known.get(source);
      if (until === undefined) {
        until = this.#retained.keepUntilAt(indexes.find(({ id }) => id === source) ?? null, at);
        known.set(source, until);
      }
      return until;
    };
  }
}
