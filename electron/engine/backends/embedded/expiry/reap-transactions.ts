import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { BatchLimits, BatchResult, LagGroup, PassRecord } from '../../../expiry/expiry-store.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { ExpirationActions, Expired } from '../write/expiration-actions.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import { DueEntries, type DueEntry } from './due-entries.ts';
import type { IntervalRemoval } from './interval-removal.ts';
import type { ResolvedSource } from './resolve-source.ts';

const ENTRIES_PER_READ = 64;
/** Explicit expirations looked through on a full disk for those that delete; any behind so many that wait for space wait, too. */
const ENTRIES_ON_FULL_DISK = 2_048;
/** Batch size if bodies must be read, because a document is in several tables: small, since a body may have 16 MiB. */
const DOCUMENTS_PER_READ = 8;
/** Weight of the latest commit, which syncs the disk, in the moving average that is subtracted from the budget. */
const COMMIT_WEIGHT = 0.2;

/** Part of the budget that a batch works for at least, however long its commit usually takes. */
const LEAST_SHARE = 1 / 4;

/** Transactions of the reaper: each batch acts on due documents of one source in one transaction [R5, A6]. */
export class ReapTransactions {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  readonly #actions: ExpirationActions;
  readonly #intervals: IntervalRemoval;
  /** Statements by index table: those of a dropped one are collected as garbage. */
  readonly #due = new WeakMap<IndexTable, DueEntries>();
  #usualCommitMs = 0;

  constructor(writer: Writer, removals: RemovalLog, actions: ExpirationActions, intervals: IntervalRemoval) {
    this.#writer = writer;
    this.#removals = removals;
    this.#actions = actions;
    this.#intervals = intervals;
  }

  /**
   * Acts on due documents, in deadline order. Writes `pass` in the same transaction and updates it once that is
   * durable.
   */
  run(resolved: ResolvedSource, limits: BatchLimits, pass: PassRecord): BatchResult {
    const { clock } = this.#writer;
    const startedAt = clock.elapsed();
    const { collection, addMs } = resolved;
    const readsBodies = resolved.readsEach || (!collection.entries.hasSingleIndex && resolved.index !== null);
    const counts = { removed: 0, changed: 0, quarantined: 0 };
    let stale = 0;
    const lagBases: number[] = [];
    let lagGroups: readonly LagGroup[] = [];
    const processed = () => counts.removed + counts.changed + counts.quarantined;
    let isDrained = false;
    let workedUntil = startedAt;
    const isOver = () => {
      workedUntil = clock.elapsed();
      const ms = limits.budgetMs();
      // On a slow disk the commit alone may take as long as the budget: a batch still works for a part of it.
      return workedUntil - startedAt >= Math.max(ms * LEAST_SHARE, ms - this.#usualCommitMs);
    };
    // Of explicit expirations, those that change their document wait for space, and the others are looked for among them [S1].
    const areChangesWaiting = resolved.index === null && this.#writer.guard.isDiskFull;
    const perRead = areChangesWaiting
      ? ENTRIES_ON_FULL_DISK
      : readsBodies
        ? DOCUMENTS_PER_READ
        : ENTRIES_PER_READ;
    const listed = (transaction: Transaction) => {
      do {
        const left = limits.maxDocuments - processed();
        // A limit counts what is removed, not what is looked through.
        const most = areChangesWaiting ? perRead : Math.min(perRead, left);
        const read = this.#dueEntries(resolved).upTo(limits.cutoff - addMs, most);
        const found = dropStaleEntries(transaction, resolved, read);
        stale += read.length - found.length;
        const isDeletion = !resolved.readsEach && found.every(entry => entry.isDeleted);
        const due = isDeletion
          ? found.slice(0, Math.min(ENTRIES_PER_READ, left))
          : found
              .filter(entry => !areChangesWaiting || entry.isDeleted)
              .slice(0, Math.min(DOCUMENTS_PER_READ, left));
        if (due.length === 0 && found.length > 0) {
          if (processed() === 0) this.#writer.guard.refuseWhileDiskFull();
          return;
        }
        isDrained = read.length < most && due.length === found.length;
        if (read.length === 0) break;
        let done = 0;
        if (isDeletion && due.length > 0) {
          done = this.#delete(transaction, resolved, due, pass.id, isOver);
          counts.removed += done;
          for (const entry of due.slice(0, done)) lagBases.push(this.#lagBase(resolved, entry));
        } else {
          const bounds = { cutoff: limits.cutoff, pass: pass.id };
          for (const entry of due) {
            const lagBase = this.#lagBase(resolved, entry);
            const expired = this.#expire(transaction, resolved, entry, bounds);
            counts[expired] += 1;
            // A quarantined document has no lag: no action was completed.
            if (expired !== 'quarantined') lagBases.push(lagBase);
            done += 1;
            // An action may take long for each document.
            if (isOver()) break;
          }
        }
        isDrained &&= done === due.length;
      } while (!isOver() && !isDrained && processed() < limits.maxDocuments);
    };
    const batch = (transaction: Transaction) => {
      const interval = this.#intervals.remove(transaction, resolved, limits, pass.id);
      if (interval === null) listed(transaction);
      else {
        counts.removed = interval.documents;
        lagGroups = interval.lags;
        isDrained = interval.isDrained;
        workedUntil = clock.elapsed();
      }
      if (isDrained) this.#writer.dueOnArrival.forget(collection.catalog.id, resolved.index === null);
      const grown = {
        cutoff: limits.cutoff,
        endedAt: transaction.at,
        removed: pass.removed + counts.removed,
        changed: pass.changed + counts.changed,
        quarantined: pass.quarantined + counts.quarantined,
        bySource: new Map(pass.bySource).set(
          resolved.name,
          (pass.bySource.get(resolved.name) ?? 0) + processed(),
        ),
        batches: pass.batches + 1,
        longestBatchMs: Math.max(pass.longestBatchMs, clock.elapsed() - startedAt),
        // `stopped` until drained, so that the row is correct if the process ends here.
        ending: isDrained && limits.isLast ? ('drained' as const) : ('stopped' as const),
      };
      if (processed() > 0) this.#writer.tables.passes.write({ ...pass, ...grown }, collection.catalog.id);
      return grown;
    };
    // On a full disk the reserve is only for work that frees space: patching or moving a document is refused.
    const extended = resolved.readsEach
      ? this.#writer.transact(batch)
      : this.#writer.transactOnFullDisk(batch);
    Object.assign(pass, extended);
    const endedAt = clock.elapsed();
    if (processed() > 0) this.#usualCommitMs += COMMIT_WEIGHT * (endedAt - workedUntil - this.#usualCommitMs);
    const now = clock.now();
    const heldMs = endedAt - startedAt;
    pass.longestBatchMs = Math.max(pass.longestBatchMs, heldMs);
    return {
      ...counts,
      stale,
      lagsMs: lagBases.map(base => Math.max(0, now - base)),
      lagGroups: lagGroups.map(({ lagMs, documents }) => ({
        lagMs: lagMs + Math.max(0, now - extended.endedAt),
        documents,
      })),
      isDrained,
      heldMs,
    };
  }

  /** Whether the documents of an index table are enough to be removed at once, and so for a rehearsal. */
  isRehearsable(table: IndexTable): boolean {
    return this.#intervals.isRehearsable(table);
  }

  /** Rehearses the removal of a source's documents. Returns false if writes are refused now. */
  rehearse(resolved: ResolvedSource): boolean {
    this.#dueEntries(resolved);
    return this.#intervals.rehearse(resolved);
  }

  /** Returns when the lag of a removal begins, epoch ms [M1]. */
  #lagBase(
    { collection, index, addMs, effectiveAt }: ResolvedSource,
    { reference, updatedAt, row }: DueEntry,
  ): number {
    const { id } = collection.catalog;
    const dueSince = this.#writer.dueSince.take(id, row);
    if (updatedAt >= reference + addMs) this.#writer.dueOnArrival.takeOne(id, index === null, updatedAt);
    return Math.max(reference + addMs, updatedAt, effectiveAt, dueSince);
  }

  #dueEntries({ collection, table, index }: ResolvedSource): DueEntries {
    let due = this.#due.get(table);
    if (due === undefined) {
      due = new DueEntries(this.#writer.db, {
        table,
        collection: collection.catalog.id,
        isExplicit: index === null,
      });
      this.#due.set(table, due);
    }
    return due;
  }

  /**
   * Deletes all entries at once without reading bodies if no other table holds the documents; else as many as time
   * allows, at least one. Returns how many.
   */
  #delete(
    transaction: Transaction,
    resolved: ResolvedSource,
    found: readonly DueEntry[],
    pass: number,
    isOver: () => boolean,
  ): number {
    const { collection, table, id: source, addMs, name } = resolved;
    const isAlone = collection.entries.hasSingleIndex || resolved.index === null;
    const due = isAlone
      ? found
      : found.slice(0, this.#removeFromOtherTables(collection, table, found, isOver));
    const action = 'delete';
    this.#removals.appendDeletions(transaction, collection.catalog, { source, entries: due, addMs }, pass);
    if (isAlone)
      collection.countRemoved(
        due.length,
        due.reduce((sum, entry) => sum + entry.bytes, 0),
      );
    table.cut(due);
    for (const { id, reference } of due) {
      const deadlineAt = reference + addMs;
      const lagMs = Math.max(0, transaction.at - deadlineAt);
      const { name: from } = collection.catalog;
      transaction.note({
        collection: from,
        kind: 'expire',
        id,
        index: name,
        deadlineAt,
        action,
        lagMs,
        pass,
      });
    }
    return due.length;
  }

  #expire(
    transaction: Transaction,
    { collection, index, addMs }: ResolvedSource,
    { row, reference }: DueEntry,
    bounds: { cutoff: number; pass: number },
  ): Expired {
    const stored = collection.read(row);
    if (stored === null)
      throw new Error(`${collection.catalog.name} has an index entry without a document, row ${row}`);
    const acting = { index, reference, deadlineAt: reference + addMs };
    return this.#actions.expire(transaction, collection, stored, acting, bounds);
  }

  /**
   * Removes documents from their other tables, as many as time allows, since the expressions of other indexes may take
   * long. Returns how many.
   */
  #removeFromOtherTables(
    collection: CollectionWriter,
    acting: IndexTable,
    due: readonly { row: number }[],
    isOver: () => boolean,
  ): number {
    let left = 0;
    for (const { row } of due) {
      const stored = collection.read(row);
      if (stored !== null) collection.removeLogically(stored, acting);
      left += 1;
      if (isOver()) break;
    }
    return left;
  }
}

/**
 * Returns the entries of `read` that agree with their documents, and drops the others from the index table: such an
 * entry should not exist, and must not remove a document that is pinned or expires later [A6, E1].
 *
 * Costs one column of a row that is read anyway. The deadline is not computed from the body again: that would read and
 * parse every document, with the same answer by the rules that made the entry (other rules: index-renewal.ts).
 */
function dropStaleEntries(
  transaction: Transaction,
  { collection, table }: ResolvedSource,
  read: readonly DueEntry[],
): readonly DueEntry[] {
  if (!read.some(entry => entry.isStale)) return read;
  for (const { isStale, reference, row, bytes } of read) {
    if (!isStale) continue;
    table.remove(reference, row, bytes);
    transaction.touch(collection.catalog.name, row);
  }
  return read.filter(entry => !entry.isStale);
}
