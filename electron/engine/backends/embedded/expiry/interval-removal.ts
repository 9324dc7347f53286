import { stringifyJson } from '../../../../../shared/model/json/json.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { CountedThrough } from '../../../deadline-index/index-table-reader.ts';
import type { BatchLimits, LagGroup } from '../../../expiry/expiry-store.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';
import { dueLater, lagsOf } from './interval-lags.ts';
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
    const { collection, index, table, addMs, name } = resolved;
    const through = cutoff - addMs;
    if (index === null || !this.#isAlone(resolved) || !this.#isEnough(table, through)) return null;
    table.flushCounts();
    const found = this.#counted(resolved, through, transaction.at);
    if (found === null || found.counted.documents > maxDocuments) return null;
    const { documents } = found.counted;
    const lags = dueLater(
      found.lags,
      this.#writer.takeDueSinceOf(collection.catalog.id).map(since => transaction.at - since),
    );
    this.#record(transaction, resolved, index, { through, counted: found.counted, pass });
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

  /**
   * Removes all documents of an index in a transaction that is rolled back. What that runs is compiled and prepared then:
   * at the deadline it holds the writer for 1.5 ms instead of 4. Returns false if the index has no documents yet.
   */
  rehearse(resolved: ResolvedSource): boolean {
    const { index, table, collection } = resolved;
    const through = table.last();
    if (through === null) return false;
    if (this.#least === null || index === null || !this.#isAlone(resolved)) return true;
    this.#writer.rehearse(transaction => {
      this.#isEnough(table, through);
      const found = this.#counted(resolved, through, transaction.at);
      if (found === null) return;
      const { counted } = found;
      this.#record(transaction, resolved, index, { through, counted, pass: 0 });
      table.first();
      collection.countRemoved(-counted.documents, -counted.bytes);
      this.#removals.takeBack(counted.documents);
    });
    return true;
  }

  /** Writes what a removal through a reference time changes. */
  #record(
    transaction: Transaction,
    { collection, table, id: source, addMs }: ResolvedSource,
    index: CatalogIndex,
    { through, counted, pass }: { through: number; counted: CountedThrough; pass: number },
  ): void {
    const { documents, bytes } = counted;
    const after = table.through;
    table.takeCounts(through, counted);
    collection.countRemoved(documents, bytes);
    this.#removals.appendInterval(transaction, collection.catalog, {
      ...{ documents, source, table: table.number, after, through, addMs, pass },
      definition: stringifyJson(index.definition.source),
      lastRow: collection.lastRow,
    });
  }

  /** Counts what is due, with the lags at `now`. Returns null if there is no room for the history of all. */
  #counted({ table, addMs, effectiveAt }: ResolvedSource, through: number, now: number) {
    const counted = table.countThrough(through);
    // Removed one by one, each round of the sweep frees space for the history of the next documents [S1].
    if (!this.#space.hasRoomFor(counted.documents)) return null;
    return { counted, lags: lagsOf(table, counted, { addMs, effectiveAt, through, now }) };
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
