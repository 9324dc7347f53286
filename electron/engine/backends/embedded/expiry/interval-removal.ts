import type { ReplicaInterval } from '../../../../../shared/contract/replication.ts';
import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { CountedThrough } from '../../../deadline-index/index-table-reader.ts';
import { intervalChecksum } from '../../../deadline-index/interval-checksum.ts';
import type { BatchLimits, LagGroup } from '../../../expiry/expiry-store.ts';
import { EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import { dueLater, lagsOf } from './interval-lags.ts';
import { type ResolvedSource, resolveSource } from './resolve-source.ts';
import type { SweepBound } from './sweep-bound.ts';

/** So many due documents are removed at once by default: fewer are removed one by one in about the same time. */
export const INTERVAL_FROM = 1_000;

/** What an interval removed. */
export interface RemovedInterval {
  readonly documents: number;
  readonly lags: readonly LagGroup[];
  /** True if nothing due is left. */
  readonly isDrained: boolean;
}

/** What expires at once. */
interface Due {
  /** The reference time up to which it is. */
  readonly through: number;
  readonly counted: CountedThrough;
}

/**
 * Removes all that is due of one source in one step, without reading or writing anything for a single document: the
 * mark of its index table moves to the cutoff, and one row says which interval expired. Everything that lists single
 * documents reads the entries of the interval until the sweep has listed them (interval-listing.ts).
 *
 * Only what deletes and is in no other table is removed this way: then an entry is all that there is of a document
 * besides its row. That is an index alone on its collection, and explicit expirations up to the first one with another
 * action. If the limits of the batch admit fewer documents than are due, the interval ends at the reference time up to
 * which they fit [R3].
 *
 * Followers are sent the source, the reference time, the count and a checksum, and remove the same from their own tables
 * [V5]. So an interval that they replay is all that lives up to its reference time, with no reference to a mark: leader
 * and follower sweep independently, and the marks of their tables differ.
 */
export class IntervalRemoval {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  readonly #least: number | null;
  readonly #space: Pick<SweepBound, 'hasRoomFor'>;

  /** `least`: fewer due documents are removed one by one, at most at once; null: all are. */
  constructor(
    writer: Writer,
    removals: RemovalLog,
    { least, space }: { least: number | null; space: Pick<SweepBound, 'hasRoomFor'> },
  ) {
    this.#writer = writer;
    this.#removals = removals;
    this.#least = least;
    this.#space = space;
  }

  /** Removes what is due. Returns null, and removes nothing, if it is to be removed one by one. */
  remove(
    transaction: Transaction,
    resolved: ResolvedSource,
    { cutoff, maxDocuments }: BatchLimits,
    pass: number,
  ): RemovedInterval | null {
    const { collection, table, addMs, id: source } = resolved;
    const dueThrough = cutoff - addMs;
    const due = this.#due(resolved, dueThrough, maxDocuments);
    if (due === null) return null;
    const { through, counted } = due;
    const { id } = collection.catalog;
    const { documents } = counted;
    const later = [
      ...this.#dueSince(resolved, through).map(since => ({ documents: 1, since })),
      ...this.#writer.dueOnArrival.take(id, resolved.index === null, documents),
    ].map(({ documents: some, since }) => ({ documents: some, lagMs: transaction.at - since }));
    const lags = dueLater(this.#lagsOf(resolved, due, transaction.at), later);
    if (this.#isFollowed) {
      const checksum = intervalChecksum(table, through);
      transaction.interval = { collection: id, source, through, documents, checksum, pass };
    }
    this.#record(transaction, resolved, due, pass);
    noteExpired(transaction, resolved, documents, pass);
    const next = table.first();
    return { documents, lags, isDrained: next === null || next > dueThrough };
  }

  /**
   * Removes in a mirror what its leader removed. Throws a RangeError, without a change, if the mirror has not the same
   * documents there, or still has late entries, which only the sweep puts back.
   */
  replay(transaction: Transaction, interval: ReplicaInterval): void {
    const { through, documents, checksum, pass } = interval;
    const resolved = this.#sourceOf(interval);
    const { collection, index, table, name } = resolved;
    const where = `${name} of ${collection.catalog.name}`;
    const isBuilt = index === null || index.builtThroughRow === null;
    if (!isEligible(resolved) || !isBuilt || table.hasLate)
      throw new RangeError(`${where} cannot expire at once`);
    table.flushCounts();
    const counted = table.countThrough(through);
    if (counted.documents !== documents)
      throw new RangeError(
        `${where} has ${counted.documents} documents that expire at once, and not ${documents}`,
      );
    if (intervalChecksum(table, through) !== checksum)
      throw new RangeError(`${where} has other documents that expire at once`);
    this.#record(transaction, resolved, { through, counted }, pass);
    noteExpired(transaction, resolved, documents, pass);
  }

  /**
   * Removes all documents of an index in a transaction that is rolled back. What that runs is compiled and prepared then:
   * at the deadline it holds the writer for 1.5 ms instead of 4. Returns false if writes are refused now.
   */
  rehearse(resolved: ResolvedSource): boolean {
    const { table, collection } = resolved;
    return this.#writer.rehearse(transaction => {
      const through = table.last();
      const due = through === null ? null : this.#due(resolved, through, Number.POSITIVE_INFINITY);
      if (due === null) return;
      const { documents, bytes } = due.counted;
      this.#lagsOf(resolved, due, transaction.at);
      this.#record(transaction, resolved, due, 0);
      table.first();
      collection.countRemoved(-documents, -bytes);
      this.#removals.takeBack(documents);
    });
  }

  /** Whether an index table has enough documents. One without any costs one seek, by a statement that is prepared. */
  isRehearsable(table: IndexTable): boolean {
    return this.#least !== null && table.first() !== null && this.#isEnough(table, Number.MAX_SAFE_INTEGER);
  }

  /** Returns what is due and expires at once, and up to which reference time; null: it is removed one by one. */
  #due(resolved: ResolvedSource, dueThrough: number, maxDocuments: number): Due | null {
    const { collection, index, table } = resolved;
    if (!isEligible(resolved) || !this.#isEnough(table, dueThrough)) return null;
    // Late entries are below the mark here, and may be above that of a follower. They are due first, one by one.
    if (this.#isFollowed && table.hasLate) return null;
    const other = index === null ? collection.firstOtherAction(table.through, dueThrough) : null;
    let through = other === null ? dueThrough : other - 1;
    table.flushCounts();
    let counted = table.countThrough(through);
    const due = table.hasLate ? table.before(through + 1).documents : counted.documents;
    if (due > maxDocuments) {
      // Late entries are no part of an interval, and most of them are due before all others.
      if (table.hasLate) return null;
      through = Math.min(through, table.throughOfFirst(maxDocuments));
      counted = table.countThrough(through);
    }
    if (through < dueThrough && !this.#isEnough(table, through)) return null;
    // Removed one by one, each round of the sweep frees space for the history of the next documents [S1].
    return this.#space.hasRoomFor(counted.documents) ? { through, counted } : null;
  }

  /** Moves the mark, and records what is below it as removed. */
  #record(
    transaction: Transaction,
    { collection, index, table, id: source, addMs }: ResolvedSource,
    { through, counted }: Due,
    pass: number,
  ): void {
    const { documents, bytes } = counted;
    const after = table.through;
    table.takeCounts(through, counted);
    collection.countRemoved(documents, bytes);
    this.#removals.appendInterval(transaction, collection.catalog, {
      ...{ documents, source, table: table.number, after, through, addMs, pass },
      definition: stringifyJson(index === null ? null : index.definition.source),
      lastRow: collection.lastRow,
    });
  }

  #lagsOf({ table, addMs, effectiveAt }: ResolvedSource, { through, counted }: Due, now: number) {
    return lagsOf(table, counted, { addMs, effectiveAt, through, now });
  }

  /** Returns since when those are due that became due only when their explicit expiration was cleared. */
  #dueSince({ collection, index, table, addMs, effectiveAt }: ResolvedSource, through: number): number[] {
    // By an index, since they have no explicit expiration.
    if (index === null) return [];
    return this.#writer.dueSince.takeAll(collection.catalog.id, {
      index: index.id,
      effectiveAt,
      after: table.through + addMs,
      through: through + addMs,
      // Late ones, which may be above the mark while they are put back, are no part of the interval.
      isLeft: (row, deadlineAt) => table.isLateEntry(deadlineAt - addMs, row),
    });
  }

  /** Throws a RangeError if there is no such source. */
  #sourceOf({ collection, source }: ReplicaInterval): ResolvedSource {
    const found = this.#writer.catalog.byId.get(collection);
    const index = source === EXPLICIT_SOURCE ? EXPLICIT : found?.indexes.find(one => one.id === source)?.name;
    if (found !== undefined && index !== undefined)
      return resolveSource(this.#writer, { collection: found.name, index });
    throw new RangeError(`there is no index with the number ${source}`);
  }

  get #isFollowed(): boolean {
    return this.#writer.images.from !== null;
  }

  #isEnough(table: IndexTable, through: number): boolean {
    return this.#least !== null && table.hasMoreThan(this.#least - 1, through);
  }
}

function isEligible({ collection, index, readsEach }: ResolvedSource): boolean {
  return !readsEach && (index === null || collection.entries.hasSingleIndex);
}

function noteExpired(
  transaction: Transaction,
  { collection, name: index }: ResolvedSource,
  documents: number,
  pass: number,
): void {
  const { name } = collection.catalog;
  transaction.note({ collection: name, kind: 'expire', id: '', documents, index, action: 'delete', pass });
}
