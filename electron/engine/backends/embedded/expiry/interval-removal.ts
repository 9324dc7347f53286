import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import { evenEdges } from '../../../deadline-index/bucket-edges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../deadline-index/count-levels.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { BatchLimits, LagGroup } from '../../../expiry/expiry-store.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import type { ResolvedSource } from './resolve-source.ts';
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

/**
 * Removes all that is due of one index in one step, without reading or writing anything for a single document: the mark
 * of its index table moves to the cutoff, and one row says which interval expired. Everything that lists single
 * documents reads the entries of the interval until the sweep has listed them (interval-listing.ts).
 *
 * Only an index that deletes, alone on its collection, is removed this way: then an entry is all that there is of a
 * document besides its row. No follower may be registered: it is sent each `_id` with the revision.
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
    const { collection, index, table, id: source, addMs, effectiveAt, name } = resolved;
    const through = cutoff - addMs;
    if (index === null || !this.#isAlone(resolved) || !this.#isEnough(table, through)) return null;
    table.flushCounts();
    const due = table.before(through + 1).documents;
    // Removed one by one, each round of the sweep frees space for the history of the next documents [S1].
    if (due > maxDocuments || !this.#space.hasRoomFor(due)) return null;
    const after = table.through;
    const lags = dueLater(
      lagsOf(table, { addMs, effectiveAt, through, now: transaction.at }),
      this.#writer.takeDueSinceOf(collection.catalog.id).map(since => transaction.at - since),
    );
    const { documents, bytes } = table.takeCounts(through);
    collection.countRemoved(documents, bytes);
    this.#removals.appendInterval(transaction, collection.catalog, {
      ...{ documents, source, table: table.number, after, through, addMs, pass },
      definition: stringifyJson(index.definition.source),
      lastRow: collection.lastRow,
    });
    const { name: from } = collection.catalog;
    transaction.note({
      collection: from,
      kind: 'expire',
      id: '',
      documents,
      index: name,
      action: 'delete',
      pass,
    });
    const next = table.first();
    return { documents, lags, isDrained: next === null || next > through };
  }

  #isAlone({ collection, index, readsEach }: ResolvedSource): boolean {
    const kind = index?.definition.source.kind;
    return (
      (kind === 'field' || kind === 'lastModified') &&
      !readsEach &&
      collection.entries.hasSingleIndex &&
      this.#writer.images.from === null
    );
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
    const counts = table.histogram(evenEdges(start, width, (end - start) / width));
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
