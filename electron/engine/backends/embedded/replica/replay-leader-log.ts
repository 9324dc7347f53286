import { isDeepStrictEqual } from 'node:util';
import type {
  ReplicaDocument,
  ReplicaEntry,
  ReplicaTick,
} from '../../../../../shared/contract/replication.ts';
import type { BackfillTarget, Replica, ReplicaPage, ReplicaProgress, RowPlace } from '../../backend.ts';
import { readCatalog } from '../catalog/catalog-snapshot.ts';
import { checkReplicaDocument } from '../catalog/leader-data-check.ts';
import type { Backfill } from '../definitions/backfill.ts';
import type { GovernedTables } from '../definitions/governed-tables.ts';
import { receivedRow } from '../tables/documents/stored-row.ts';
import type { Change, Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Removal, RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import { type MirrorMark, openMirror, readOnlyMirror, writeMark } from './mirror-mark.ts';
import { ReplicaDefinitions } from './replica-definitions.ts';

/** Places before the first row of a store and behind its last. */
const FIRST: RowPlace = { collection: 0, row: 0 };
const LAST: RowPlace = { collection: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };
const ROWS_A_READ = 64;
const FORGOTTEN_A_STEP = 2_000;

export interface ReplicaOptions {
  writer: Writer;
  removals: RemovalLog;
  governedTables: GovernedTables;
  backfill: Backfill;
  /** The leader's address, for the error if the file is opened without --follow. */
  leader: string;
}

/**
 * The embedded store as a mirror [V5]. It differs from an ordinary store in that only replay writes it, and that it has
 * no tombstones: expired rows are freed in the transaction that replays them, so that a row number that the leader uses
 * again is free here, too.
 */
export class EmbeddedReplica implements Replica {
  readonly #options: ReplicaOptions;
  readonly #definitions: ReplicaDefinitions;
  #mark: MirrorMark;

  /** Throws BAD_REQUEST for a store that has data of its own. */
  constructor(options: ReplicaOptions) {
    const { writer, governedTables, leader } = options;
    this.#options = options;
    this.#definitions = new ReplicaDefinitions(writer, governedTables);
    this.#mark = openMirror(writer, leader);
    writer.makeReadOnly(() => readOnlyMirror(leader));
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
        this.#definitions.apply(null, readCatalog(page.catalog, writer.db));
      }
      writer.meta.set('oldest', revision + 1);
      const collectionOf = this.#collections();
      this.#removeOthers(from, to, page.documents);
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
    writer.replay(entry.revision, entry.at, transaction => {
      if (entry.catalog !== null) this.#definitions.apply(transaction, readCatalog(entry.catalog, writer.db));
      const collectionOf = allOf(this.#collections(transaction));
      this.#note(transaction, collectionOf, entry);
      const gone = entry.expired.filter(expiry => expiry.gone);
      for (const { collection, id } of [...gone, ...entry.removed])
        removeDocument(collectionOf(collection), id);
      for (const document of entry.put) put(collectionOf(document.collection), document);
      const { meta, tables } = writer;
      // Expired documents are restored on the leader [X4].
      tables.removals.endRetentionOfTombstones();
      meta.set('swept', Math.max(meta.number('swept') ?? 0, tables.removals.lastSeq()));
    });
  }

  prepare({ catalog }: ReplicaEntry, budgetMs: number): boolean {
    const missing =
      catalog === null ? null : this.#definitions.incomplete(readCatalog(catalog, this.#options.writer.db));
    return missing !== null && this.#build({ kind: 'index', ...missing }, budgetMs);
  }

  setTicks(ticks: readonly ReplicaTick[]): void {
    const { writer } = this.#options;
    const { scheduleTicks } = writer.tables;
    if (isDeepStrictEqual(scheduleTicks.all(), new Map(ticks.map(({ source, ...tick }) => [source, tick]))))
      return;
    const replace = writer.db.transaction(() => scheduleTicks.replaceAll(ticks));
    writer.tryRecord(replace);
  }

  build(budgetMs: number): boolean {
    return this.#options.backfill.pending().some(target => this.#build(target, budgetMs));
  }

  deleteHistory(throughRevision: number): boolean {
    const { writer } = this.#options;
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
    writer.attempt(() => writeMark(writer.meta, mark));
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

  /** Records the leader's changes at the same positions, so that a watch sends them with the same ids [V3]. */
  #note(transaction: Transaction, collectionOf: KnownCollection, { changes, expired }: ReplicaEntry): void {
    let next = 0;
    for (let place = 0; place < changes.length; ) {
      const change = changes[place];
      if (change === undefined) return;
      if (change.kind !== 'expire') {
        transaction.note(change);
        place += 1;
        continue;
      }
      // Consecutive changes of one collection are packed into one run of the log.
      const isLike = (other: Change | undefined) =>
        other?.kind === 'expire' && other.collection === change.collection;
      let end = place;
      while (isLike(changes[end])) end += 1;
      this.#noteExpiries(
        transaction,
        collectionOf,
        change.collection,
        expired.slice(next, next + end - place),
      );
      next += end - place;
      place = end;
    }
  }

  #noteExpiries(
    transaction: Transaction,
    collectionOf: KnownCollection,
    name: string,
    expired: ReplicaEntry['expired'],
  ): void {
    const [first] = expired;
    if (first === undefined || first.collection === undefined)
      throw new RangeError(`${name} has expiries that are missing in the entry`);
    const collection = collectionOf(first.collection);
    for (const [pass, ofPass] of Map.groupBy(expired, expiry => expiry.pass)) {
      const removals = ofPass.map(
        ({ source, row, id, deadlineAt, action, gone }): Removal => ({
          source,
          row,
          id,
          deadlineAt,
          action,
          gone,
        }),
      );
      this.#options.removals.append(transaction, collection.catalog, removals, pass);
      for (const { id, index, deadlineAt } of ofPass)
        transaction.note({ collection: name, kind: 'expire', id, index, deadlineAt });
    }
  }

  /** Drops every collection and index and the history of expiries, before a new copy. */
  #discard(): void {
    this.#definitions.clear();
    const { removals, quarantine } = this.#options.writer.tables;
    removals.deleteAll();
    quarantine.deleteAll();
  }

  /** Removes documents between two places that the leader does not have there. */
  #removeOthers(from: RowPlace, to: RowPlace, documents: readonly ReplicaDocument[]): void {
    const kept = new Set(documents.map(({ collection, row }) => `${collection}:${row}`));
    const { writer } = this.#options;
    for (const { id: number, name } of writer.catalog.collections.values()) {
      if (number < from.collection || number > to.collection) continue;
      const collection = writer.collection(name);
      const until = number === to.collection ? to.row : Number.MAX_SAFE_INTEGER;
      for (let row = number === from.collection ? from.row : 0; ; ) {
        const rows = collection.rowsAfter(row, ROWS_A_READ).filter(stored => stored.row <= until);
        for (const stored of rows) if (!kept.has(`${number}:${stored.row}`)) collection.delete(stored);
        row = rows.at(-1)?.row ?? row;
        if (rows.length < ROWS_A_READ) break;
      }
    }
  }

  /** Looks up collections by number, as they are defined now. */
  #collections(transaction?: Transaction): CollectionOf {
    const { writer } = this.#options;
    const names = new Map([...writer.catalog.collections.values()].map(({ id, name }) => [id, name]));
    return number => {
      const name = names.get(number);
      if (name === undefined) return undefined;
      transaction?.collections.add(name);
      return writer.collection(name);
    };
  }
}

type CollectionOf = (number: number) => CollectionWriter | undefined;
type KnownCollection = (number: number) => CollectionWriter;

/** Throws if there is no such collection: a leader sends definitions before changes to them. */
function allOf(find: CollectionOf): KnownCollection {
  return number => {
    const collection = find(number);
    if (collection === undefined) throw new RangeError(`there is no collection with the number ${number}`);
    return collection;
  };
}

/** Removes a document whose `_id` a newer page of the snapshot has already: the log contains the newer one again. */
function removeDocument(collection: CollectionWriter, id: string): void {
  const row = collection.rowOf(id);
  const stored = row === null ? null : collection.read(row);
  if (stored !== null) collection.delete(stored);
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
