import type { ReplicaInterval } from '../../../../../shared/contract/replication.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Writer } from '../write/writer.ts';

const ROWS_A_READ = 16;

/**
 * An interval of a revision between the first and the last page of a copy. Its documents may be missing here, since a
 * later page omitted them, and documents of later pages may be below its reference time: count and checksum tell
 * nothing, and nothing here says which documents expired.
 *
 * All documents up to its reference time are deleted: those that were written after it are in a later entry of the log.
 * The history begins after the interval. Nothing reads this mirror before it equals its leader, so nobody has seen an
 * earlier event of it.
 */
export class IntervalDuringCopy {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Deletes documents for about `budgetMs`, before the entry is applied. Returns whether there are more. */
  prepare(interval: ReplicaInterval, budgetMs: number): boolean {
    const { clock } = this.#writer;
    const began = clock.elapsed();
    const collection = this.#writer.collectionWithId(interval.collection);
    if (collection === null) return false;
    return this.#writer.maintain(() => {
      let more: boolean;
      do more = this.#deleteSome(collection, interval);
      while (more && clock.elapsed() - began < budgetMs);
      collection.flush();
      return more;
    });
  }

  /** Deletes what is left, and counts the expired documents. Throws a RangeError if there is no such index. */
  apply(transaction: Transaction, interval: ReplicaInterval): void {
    const { meta, tables } = this.#writer;
    const collection = this.#writer.collectionWithId(interval.collection);
    if (collection === null)
      throw new RangeError(`there is no collection with the number ${interval.collection}`);
    while (this.#deleteSome(collection, interval));
    transaction.collections.add(collection.catalog.name);
    tables.expiryCounts.add(interval.collection, interval.source, transaction.at, interval.documents);
    meta.set('oldest', transaction.revision + 1);
  }

  #deleteSome(collection: CollectionWriter, { source, through }: ReplicaInterval): boolean {
    const table = collection.entries.tableOf(source);
    if (table === null) throw new RangeError(`there is no index with the number ${source}`);
    const entries = table.entries(0, through + 1, null, ROWS_A_READ);
    for (const { row } of entries) {
      const stored = collection.read(row);
      if (stored === null) throw new RangeError(`row ${row} of ${collection.catalog.name} has only an entry`);
      collection.delete(stored);
    }
    return entries.length > 0;
  }
}
