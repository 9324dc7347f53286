import { isDeepStrictEqual } from 'node:util';
import type {
  ReplicaDocument,
  ReplicaEntry,
  ReplicaInterval,
  ReplicaTick,
} from '../../../../../shared/contract/replication.ts';
import { deleteLateEntries } from '../../../deadline-index/index-table.ts';
import type { BackfillTarget, Replica, ReplicaPage, ReplicaProgress, RowPlace } from '../../backend.ts';
import { readCatalog } from '../catalog/catalog-snapshot.ts';
import { checkReplicaDocument } from '../catalog/leader-data-check.ts';
import type { Backfill } from '../definitions/backfill.ts';
import type { GovernedTables } from '../definitions/governed-tables.ts';
import { receivedRow } from '../tables/documents/stored-row.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import { IntervalDuringCopy } from './interval-during-copy.ts';
import { type MirrorMark, openMirror, readOnlyMirror, writeMark } from './mirror-mark.ts';
import { needsSweep } from './needs-sweep.ts';
import { removeOthers } from './remove-others.ts';
import { type KnownCollection, ReplayedExpiries, type ReplayedExpiriesOptions } from './replayed-expiries.ts';
import { ReplicaDefinitions } from './replica-definitions.ts';

/** Places before the first row of a store and behind its last. */
const FIRST: RowPlace = { collection: 0, row: 0 };
const LAST: RowPlace = { collection: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };
const FORGOTTEN_A_STEP = 2_000;
const SWEPT_FOR_MS = 8;

/** Frees rows and keys of removed documents (sweep.ts). */
export interface ReplicaSweep {
  /** Works for about `budgetMs`. Returns whether there is more to free. */
  step(budgetMs: number): boolean;
}

export interface ReplicaOptions extends ReplayedExpiriesOptions {
  /** Returns a sweep without an interrupted round. */
  newSweep(): ReplicaSweep;
  governedTables: GovernedTables;
  backfill: Backfill;
  /** The leader's address, for the error if the file is opened without --follow. */
  leader: string;
}

/**
 * The embedded store as a mirror [V5]. It differs from an ordinary store in that only replay writes it.
 *
 * Once it equals its leader, expired rows stay as tombstones until they are swept, as on the leader and at its own pace.
 * The leader uses the number of a row again once its own sweep is through: the mirror completes its sweep before it
 * applies an entry with a row that it has not freed. While the mirror is copied, rows are freed at once: which of them
 * an expiry was of is not known then.
 */
export class EmbeddedReplica implements Replica {
  readonly #options: ReplicaOptions;
  readonly #definitions: ReplicaDefinitions;
  readonly #expiries: ReplayedExpiries;
  readonly #intervalDuringCopy: IntervalDuringCopy;
  #sweep: ReplicaSweep;
  #mark: MirrorMark;

  /** Throws BAD_REQUEST for a store that has data of its own. */
  constructor(options: ReplicaOptions) {
    const { writer, governedTables, leader } = options;
    this.#options = options;
    this.#definitions = new ReplicaDefinitions(writer, governedTables);
    this.#expiries = new ReplayedExpiries(options);
    this.#intervalDuringCopy = new IntervalDuringCopy(writer);
    this.#sweep = options.newSweep();
    this.#mark = openMirror(writer, leader);
    writer.guard.makeReadOnly(() => readOnlyMirror(leader));
  }

  get name(): string {
    return this.#mark.name;
  }
  get progress(): ReplicaProgress {
    return this.#mark.progress;
  }

  get purged(): number {
    return this.#mark.purged;
  }

  get isOutdated(): boolean {
    return this.#definitions.isOutdated;
  }

  get at(): number {
    return this.#options.writer.tables.log.lastAt();
  }

  applyPage(page: ReplicaPage): void {
    const { writer } = this.#options;
    const before = this.#mark.progress;
    const isFirst = page.catalog !== null;
    if (!isFirst && before.phase !== 'copying') throw new RangeError('an earlier page is missing');
    // The log is replayed from the first page on.
    const revision = isFirst || before.phase !== 'copying' ? page.revision : before.revision;
    const from = isFirst || before.phase !== 'copying' || before.lastRow === null ? FIRST : before.lastRow;
    const last = page.documents.at(-1);
    const to = page.next === null ? LAST : last === undefined ? from : placeOf(last);
    const after: ReplicaProgress =
      page.next === null
        ? { phase: 'replaying', storeId: page.storeId, consistentFrom: page.revision }
        : { phase: 'copying', storeId: page.storeId, after: page.next, lastRow: to, revision };
    writer.adopt(revision, () => {
      if (page.catalog !== null) {
        // Events from before the copy do not lead to its state.
        writer.tables.log.deleteAll();
        if (page.discards === true || this.isOutdated) this.#discard();
        else if (writer.tables.removals.hasTombstones())
          throw new RangeError('rows of expired documents are not freed yet');
        this.#definitions.apply(null, readCatalog(page.catalog, writer.db));
      }
      writer.meta.set('oldest', revision + 1);
      const collectionOf = this.#collections();
      removeOthers(writer, page.documents, { from, to });
      for (const document of page.documents) {
        const collection = collectionOf(document.collection);
        // The log also has documents of collections that were created after the first page.
        if (collection === undefined) continue;
        checkReplicaDocument(document);
        const { collection: _, quarantined, ...sent } = document;
        const stored = receivedRow(sent);
        collection.adopt(stored);
        // The log also has quarantined documents of indexes that were created, changed or completed after the first
        // page.
        for (const given of quarantined)
          if (collection.entries.has(stored, given)) collection.entries.quarantine(stored, given);
      }
      writeMark(writer.meta, { ...this.#mark, progress: after });
    });
    this.#mark = { ...this.#mark, progress: after };
  }

  apply(entry: ReplicaEntry): void {
    const { writer } = this.#options;
    if (this.#mark.progress.phase !== 'replaying')
      throw new RangeError('there is no snapshot to replay over');
    if (entry.revision <= writer.revision) return;
    if (entry.revision !== writer.revision + 1)
      throw new RangeError(`revision ${writer.revision + 1} is missing before ${entry.revision}`);
    const isCopied = this.#isCopied;
    writer.replay(entry.revision, entry.at, transaction => {
      if (entry.catalog !== null) this.#definitions.apply(transaction, readCatalog(entry.catalog, writer.db));
      const collectionOf = allOf(this.#collections(transaction));
      if (isCopied) this.#expiries.hide(transaction, collectionOf, entry);
      else this.#free(transaction, collectionOf, entry);
      for (const { collection, id } of entry.removed) this.#remove(collectionOf(collection), id);
      for (const document of entry.put) put(collectionOf(document.collection), document);
    });
  }

  prepare(entry: ReplicaEntry, budgetMs: number): boolean {
    if (!this.#isCopied) {
      if (entry.interval !== null && this.#prepareInterval(entry.interval, entry.revision, budgetMs))
        return true;
    } else if (needsSweep(entry, this.#options.writer, this.#definitions) && this.sweep(budgetMs))
      return true;
    const { catalog } = entry;
    const missing =
      catalog === null ? null : this.#definitions.incomplete(readCatalog(catalog, this.#options.writer.db));
    return missing !== null && this.#build({ kind: 'index', ...missing }, budgetMs);
  }

  sweep(budgetMs: number): boolean {
    return this.#sweep.step(budgetMs);
  }

  setTicks(ticks: readonly ReplicaTick[]): void {
    const { writer } = this.#options;
    const { scheduleTicks } = writer.tables;
    if (isDeepStrictEqual(scheduleTicks.all(), new Map(ticks.map(({ source, ...tick }) => [source, tick]))))
      return;
    const replace = writer.db.transaction(() => scheduleTicks.replaceAll(ticks));
    writer.guard.tryRecord(replace);
  }

  build(budgetMs: number): boolean {
    return this.#options.backfill.pending().some(target => this.#build(target, budgetMs));
  }

  deleteHistory(throughRevision: number): boolean {
    const { writer } = this.#options;
    // Documents whose rows are not freed are in the file.
    if (writer.tables.removals.hasTombstones() && this.sweep(SWEPT_FOR_MS)) return true;
    return writer.maintain(() => {
      // Set first, so that a watch from an earlier revision is refused instead of receiving only some events.
      const oldest = writer.meta.number('oldest') ?? 0;
      if (throughRevision >= oldest) writer.meta.set('oldest', throughRevision + 1);
      const { log, removals } = writer.tables;
      const changes = log.deleteSomeThrough(throughRevision, FORGOTTEN_A_STEP);
      const expiries = removals.deleteSomeThrough(throughRevision, FORGOTTEN_A_STEP);
      return changes + expiries > 0;
    });
  }

  setPurged(purge: number): void {
    const { writer } = this.#options;
    const mark = { ...this.#mark, purged: purge };
    writer.guard.attempt(() => writeMark(writer.meta, mark));
    this.#mark = mark;
  }

  /** Returns whether the target needs more steps. */
  #build(target: BackfillTarget, budgetMs: number): boolean {
    const { backfill, governedTables, writer } = this.#options;
    const step = backfill.advance(target, budgetMs);
    if (step === null) return false;
    if (!step.finished || target.kind !== 'recount') return !step.finished;
    const collection = writer.collection(target.collection).catalog;
    writer.adopt(writer.revision, () => governedTables.end(collection));
    return false;
  }

  /** Whether the mirror equals its leader at its revision: the log is replayed beyond the last page of the copy. */
  get #isCopied(): boolean {
    const { progress } = this.#mark;
    return progress.phase === 'replaying' && this.#options.writer.revision >= progress.consistentFrom;
  }

  #prepareInterval(interval: ReplicaInterval, revision: number, budgetMs: number): boolean {
    return this.deleteHistory(revision) || this.#intervalDuringCopy.prepare(interval, budgetMs);
  }

  /** Deletes expired documents of a mirror that is being copied, by `_id`: the row may be another document's by now. */
  #free(transaction: Transaction, collectionOf: KnownCollection, entry: ReplicaEntry): void {
    const { meta, tables } = this.#options.writer;
    if (entry.interval !== null) this.#intervalDuringCopy.apply(transaction, entry.interval);
    this.#expiries.note(transaction, collectionOf, entry);
    for (const { collection, id, gone } of entry.expired)
      if (gone) this.#remove(collectionOf(collection), id);
    meta.set('swept', Math.max(meta.number('swept') ?? 0, tables.removals.lastSeq()));
  }

  /**
   * Removes a document. During a copy, a newer page of the snapshot may have the `_id` already: the log contains the
   * newer one again.
   */
  #remove(collection: CollectionWriter, id: string): void {
    const row = collection.rowOf(id);
    const stored = row === null ? null : collection.read(row);
    const { tombstones } = this.#options.writer;
    if (stored !== null && !tombstones.isDead(collection.catalog.id, stored)) collection.delete(stored);
  }

  /** Drops every collection and index and the history of expiries, before a new copy. */
  #discard(): void {
    const { db, meta, tables, tombstones } = this.#options.writer;
    const { removals, expiredIntervals, quarantine } = tables;
    for (const { table } of tombstones.intervals.all) deleteLateEntries(db, table);
    // Numbers are never used again.
    meta.set('swept', Math.max(meta.number('swept') ?? 0, removals.lastSeq()));
    expiredIntervals.deleteAll();
    this.#definitions.clear();
    removals.deleteAll();
    quarantine.deleteAll();
    tombstones.reload();
    this.#sweep = this.#options.newSweep();
  }

  /** Looks up collections by number, as they are defined now. */
  #collections(transaction?: Transaction): CollectionOf {
    const { writer } = this.#options;
    const { byId } = writer.catalog;
    return number => {
      const name = byId.get(number)?.name;
      if (name === undefined) return undefined;
      transaction?.collections.add(name);
      return writer.collection(name);
    };
  }
}

type CollectionOf = (number: number) => CollectionWriter | undefined;

/** Throws if there is no such collection: a leader sends definitions before changes to them. */
function allOf(find: CollectionOf): KnownCollection {
  return number => {
    const collection = find(number);
    if (collection === undefined) throw new RangeError(`there is no collection with the number ${number}`);
    return collection;
  };
}

/** Throws if an index that quarantined the document does not exist: the log has definitions before documents. */
function put(collection: CollectionWriter, sent: ReplicaDocument): void {
  checkReplicaDocument(sent);
  const { quarantined, collection: _, ...rest } = sent;
  const document = receivedRow(rest);
  collection.adopt(document);
  for (const given of quarantined) {
    if (!collection.entries.hasRule(given.source))
      throw new RangeError(`there is no index with the number ${given.source}`);
    collection.entries.quarantine(document, given);
  }
}

function placeOf({ collection, row }: ReplicaDocument): RowPlace {
  return { collection, row };
}
