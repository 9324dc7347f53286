import type { ReplicaEntry, ReplicaInterval } from '../../../../../shared/contract/replication.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Change, Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Removal, RemovalLog } from '../write/removal-log.ts';
import type { Writer } from '../write/writer.ts';

export type KnownCollection = (number: number) => CollectionWriter;

/** Removes in a mirror what its leader removed at once (interval-removal.ts). */
export interface ReplayedIntervals {
  /** Throws a RangeError, without a change, if the mirror has not the same documents there. */
  replay(transaction: Transaction, interval: ReplicaInterval): void;
}

export interface ReplayedExpiriesOptions {
  writer: Writer;
  removals: RemovalLog;
  intervals: ReplayedIntervals;
}

/** Records expired documents of an entry in a mirror, inside its transaction [V5]. */
export class ReplayedExpiries {
  readonly #options: ReplayedExpiriesOptions;

  constructor(options: ReplayedExpiriesOptions) {
    this.#options = options;
  }

  /**
   * Removes the expired documents as the leader did: rows and keys stay until the sweep frees them. For a mirror that
   * has the state of the revision before. Throws a RangeError if an expired row is another document's.
   */
  hide(transaction: Transaction, collectionOf: KnownCollection, entry: ReplicaEntry): void {
    const { writer, intervals } = this.#options;
    if (entry.interval !== null) intervals.replay(transaction, entry.interval);
    const leaving = new Map<string, { collection: CollectionWriter; stored: StoredRow }>();
    for (const { collection: number, row, id, gone } of entry.expired) {
      const collection = collectionOf(number);
      if (!gone) continue;
      const stored = collection.read(row);
      if (!collection.canAdopt(row) || (stored !== null && stored.id !== id))
        throw new RangeError(`row ${row} of ${collection.catalog.name} is not that of ${id}`);
      // A document that was written and expired in the same revision was never here.
      if (stored !== null) leaving.set(`${number}:${row}`, { collection, stored });
    }
    this.note(transaction, collectionOf, entry);
    if (entry.expired.length > 0) writer.tombstones.refresh();
    for (const { collection, stored } of leaving.values()) collection.removeLogically(stored);
  }

  /** Records the leader's changes at the same positions, so that a watch sends them with the same ids [V3]. */
  note(transaction: Transaction, collectionOf: KnownCollection, { changes, expired }: ReplicaEntry): void {
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
}
