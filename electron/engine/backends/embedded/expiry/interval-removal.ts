import type { ReplicaInterval } from '../../../../../shared/contract/replication.ts';
import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../deadline-index/count-levels.ts';
import type { Tally } from '../../../deadline-index/index-entry.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import { intervalChecksum } from '../../../deadline-index/interval-checksum.ts';
import type { BatchLimits, LagGroup } from '../../../expiry/expiry-store.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
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

/** A source that is an index. */
type AloneSource = ResolvedSource & { readonly index: CatalogIndex };

/**
 * Removes all that is due of one index in one step, without reading or writing anything for a single document: the mark
 * of its index table moves to the cutoff, and one row says which interval expired. Everything that lists single
 * documents reads the entries of the interval until the sweep has listed them (interval-listing.ts).
 *
 * Only an index that deletes, alone on its collection, is removed this way: then an entry is all that there is of a
 * document besides its row.
 *
 * Followers are sent the index, the reference time, the count and a checksum, and remove the same from their own tables
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
    const { collection, table, addMs, effectiveAt } = resolved;
    const through = cutoff - addMs;
    if (!this.#isAlone(resolved) || !this.#isEnough(table, through)) return null;
    // Late entries are below the mark here, and may be above that of a follower. They are due first, one by one.
    if (this.#isFollowed && table.hasLate) return null;
    table.flushCounts();
    const due = table.before(through + 1).documents;
    // Removed one by one, each round of the sweep frees space for the history of the next documents [S1].
    if (due > maxDocuments || !this.#space.hasRoomFor(due)) return null;
    const lags = dueLater(
      lagsOf(table, { addMs, effectiveAt, through, now: transaction.at }),
      this.#writer.takeDueSinceOf(collection.catalog.id).map(since => transaction.at - since),
    );
    const checksum = this.#isFollowed ? intervalChecksum(table, through) : null;
    const { documents } = this.#take(transaction, resolved, through, pass);
    if (checksum !== null) {
      const collectionId = collection.catalog.id;
      transaction.interval = {
        collection: collectionId,
        source: resolved.id,
        through,
        documents,
        checksum,
        pass,
      };
    }
    const next = table.first();
    return { documents, lags, isDrained: next === null || next > through };
  }

  /**
   * Removes in a mirror what its leader removed. Throws a RangeError, without a change, if the mirror has not the same
   * documents there, or still has late entries, which only the sweep puts back.
   */
  replay(transaction: Transaction, interval: ReplicaInterval): void {
    const { through, documents, checksum, pass } = interval;
    const resolved = this.#sourceOf(interval);
    const { collection, table, name } = resolved;
    const where = `${name} of ${collection.catalog.name}`;
    if (!this.#isAlone(resolved) || resolved.index.builtThroughRow !== null || table.hasLate)
      throw new RangeError(`${where} cannot expire at once`);
    table.flushCounts();
    const found = table.before(through + 1).documents;
    if (found !== documents)
      throw new RangeError(`${where} has ${found} documents that expire at once, and not ${documents}`);
    if (intervalChecksum(table, through) !== checksum)
      throw new RangeError(`${where} has other documents that expire at once`);
    this.#take(transaction, resolved, through, pass);
  }

  /** Moves the mark, and records what is below it as removed. */
  #take(
    transaction: Transaction,
    { collection, index, table, id: source, addMs, name }: AloneSource,
    through: number,
    pass: number,
  ): Tally {
    const after = table.through;
    const taken = table.takeCounts(through);
    const { documents, bytes } = taken;
    collection.countRemoved(documents, bytes);
    this.#removals.appendInterval(transaction, collection.catalog, {
      ...{ documents, source, table: table.number, after, through, addMs, pass },
      definition: stringifyJson(index.definition.source),
      lastRow: collection.lastRow,
    });
    transaction.note({
      collection: collection.catalog.name,
      kind: 'expire',
      id: '',
      documents,
      index: name,
      action: 'delete',
      pass,
    });
    return taken;
  }

  /** Throws a RangeError if there is no such index. */
  #sourceOf({ collection, source }: ReplicaInterval): ResolvedSource {
    for (const { id, name, indexes } of this.#writer.catalog.collections.values()) {
      const index = id === collection ? indexes.find(one => one.id === source) : undefined;
      if (index !== undefined) return resolveSource(this.#writer, { collection: name, index: index.name });
    }
    throw new RangeError(`there is no index with the number ${source}`);
  }

  get #isFollowed(): boolean {
    return this.#writer.images.from !== null;
  }

  #isAlone(resolved: ResolvedSource): resolved is AloneSource {
    const { collection, index, readsEach } = resolved;
    const kind = index?.definition.source.kind;
    return (kind === 'field' || kind === 'lastModified') && !readsEach && collection.entries.hasSingleIndex;
  }

  #isEnough(table: IndexTable, through: number): boolean {
    return this.#least !== null && table.hasMoreThan(this.#least - 1, through);
  }
}

/** Spans of the lags of an interval, from the cutoff back: so much of it in buckets of one width, up to a whole one of the next. */
const LAG_SPANS = [
  { width: SECOND, span: 2 * MINUTE, next: MINUTE },
  { width: MINUTE, span: 2 * HOUR, next: HOUR },
  { width: HOUR, span: 2 * DAY, next: DAY },
] as const;

/**
 * Returns the lags of what is due, by second for the latest two minutes, by minute for the two hours before, by hour for
 * two days, and the rest together: a lag of hours need not be known to the second [M1].
 */
function lagsOf(
  table: IndexTable,
  { addMs, effectiveAt, through, now }: { addMs: number; effectiveAt: number; through: number; now: number },
): LagGroup[] {
  const groups: LagGroup[] = [];
  const first = table.first() ?? through;
  const add = (documents: number, from: number, width: number) => {
    const since = Math.max(Math.max(first, from + width / 2) + addMs, effectiveAt);
    if (documents > 0) groups.push({ documents, lagMs: Math.max(0, now - since) });
  };
  let end = Math.floor(through / SECOND) * SECOND;
  add(table.before(through + 1).documents - table.before(end).documents, end, through - end);
  for (const { width, span, next } of LAG_SPANS) {
    if (end <= first) return groups;
    const start = Math.floor((end - span) / next) * next;
    const counts = table.histogram(start, width, (end - start) / width);
    for (const [i, documents] of counts.entries()) add(documents, start + i * width, width);
    end = start;
  }
  add(table.before(end).documents, first, 0);
  return groups;
}

/**
 * Gives documents that became due only later than their deadline, such as when an explicit expiration was cleared, their
 * own lags [M1]. They are taken for those with the earliest deadlines.
 */
function dueLater(groups: readonly LagGroup[], lagsMs: readonly number[]): readonly LagGroup[] {
  if (lagsMs.length === 0) return groups;
  let left = lagsMs.length;
  const others = groups
    .toSorted((a, b) => b.lagMs - a.lagMs)
    .map(({ lagMs, documents }) => {
      const taken = Math.min(left, documents);
      left -= taken;
      return { lagMs, documents: documents - taken };
    })
    .filter(({ documents }) => documents > 0);
  const own = lagsMs
    .slice(0, lagsMs.length - left)
    .map(lagMs => ({ lagMs: Math.max(0, lagMs), documents: 1 }));
  return [...others, ...own];
}
