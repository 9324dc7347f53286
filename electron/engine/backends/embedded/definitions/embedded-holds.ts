import type { HoldRecord } from '../../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { tripsBreaker } from '../../../expiry/breaker.ts';
import type { BulkChange, HoldStore, NewHold } from '../../backend.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { HoldPlacement } from './hold-placement.ts';
import type { IndexDefinitions } from './index-definitions.ts';

/** User of a hold that Sandglass placed by itself. */
const ITSELF = 'Sandglass';

/** Holds: due documents on which no index acts until a person confirms [R8, R9, R10]. */
export class EmbeddedHolds implements HoldStore {
  readonly #writer: Writer;
  readonly #placement: HoldPlacement;
  readonly #indexes: IndexDefinitions;
  /** Running bulk changes: documents that a change makes due are not removed before all of them are counted. */
  readonly #changing = new Map<BulkChange, string>();
  /** Number of starts and ends of bulk changes so far. */
  bulkChanges = 0;

  constructor(writer: Writer, placement: HoldPlacement, indexes: IndexDefinitions) {
    this.#writer = writer;
    this.#placement = placement;
    this.#indexes = indexes;
  }

  list(): readonly HoldRecord[] {
    return this.#writer.catalog.holds;
  }

  has(collection: string, cause: HoldRecord['cause']): boolean {
    return this.list().some(hold => hold.collection === collection && hold.cause === cause);
  }

  place(hold: NewHold): void {
    this.#writer.transactOnFullDisk(transaction => this.placeIn(transaction, hold));
  }

  /** Like `place`, inside a transaction, so that nothing is reaped in between. Throws COLLECTION_NOT_FOUND. */
  placeIn(transaction: Transaction, { collection: name, cause, by, due, dueAt, durationMs }: NewHold): void {
    const collection = name === null ? null : this.#writer.collection(name).catalog;
    const at = Math.max(transaction.at, dueAt ?? transaction.at);
    const held = collection === null ? [...this.#writer.catalog.collections.values()] : [collection];
    for (const other of isOfClock(cause) ? this.#ofClock() : [])
      if (other.cause !== cause) this.#placement.end(transaction, Number(other.id), null);
    const counted = due ?? held.reduce((sum, one) => sum + this.#placement.due(one, at), 0);
    this.#placement.place(transaction, {
      collection,
      cause,
      index: null,
      by,
      due: counted,
      durationMs: durationMs ?? null,
    });
  }

  confirm(id: string, by: string): void {
    const hold = this.#writer.catalog.holds.find(candidate => candidate.id === id);
    if (hold === undefined) {
      throw new SandglassError('EXPECTATION_FAILED', 'There is no such hold any more. List the holds.', {
        hold: id,
      });
    }
    const collection = hold.collection === null ? null : this.#writer.collection(hold.collection).catalog;
    this.#writer.transactOnFullDisk(transaction => {
      if (hold.collection !== null && hold.index !== null)
        this.#indexes.confirm(transaction, hold.collection, hold.index, by);
      this.#placement.end(transaction, Number(hold.id), collection);
    });
  }

  /**
   * Ends the clock's hold after the clock was corrected. The breaker counts documents that became due meanwhile [R8,
   * R10].
   */
  endOfClockHold(): void {
    const { collections, settings } = this.#writer.catalog;
    const ended = this.#ofClock();
    if (ended.length === 0) return;
    this.#writer.transactOnFullDisk(transaction => {
      for (const { id } of ended) this.#placement.end(transaction, Number(id), null);
      for (const collection of collections.values()) {
        const due = this.#placement.due(collection, transaction.at);
        if (!tripsBreaker({ due, documents: this.#placement.documents(collection) }, settings)) continue;
        this.#placement.place(transaction, {
          collection,
          cause: 'end of hold',
          index: null,
          by: ITSELF,
          due,
          durationMs: null,
        });
      }
    });
  }

  /** Holds the documents that became due since `lastOpenAt` (epoch ms), if the store was closed for long [R9]. */
  placeAfterOpening(lastOpenAt: number | null): void {
    const { catalog, clock, meta } = this.#writer;
    const now = clock.now();
    const isRestored = meta.text('restoredFrom') !== null;
    const closedMs = lastOpenAt === null ? null : now - lastOpenAt;
    const isLong = (closedMs ?? 0) > catalog.settings.holdAfterDays * 86_400_000;
    if (!isRestored && !isLong) return;
    this.#writer.transactOnFullDisk(transaction => {
      for (const collection of catalog.collections.values()) {
        const due = this.#placement.due(collection, now);
        const since =
          isRestored || lastOpenAt === null ? due : this.#placement.due(collection, now, lastOpenAt);
        if (since === 0) continue;
        const cause = isRestored ? 'restored backup' : 'long closed';
        this.#placement.place(transaction, {
          collection,
          cause,
          index: null,
          by: ITSELF,
          due,
          durationMs: closedMs,
        });
      }
      meta.set('restoredFrom', null);
      transaction.changesCatalog = true;
    });
  }

  beginBulk(collection: string, by: string): BulkChange {
    this.#writer.collection(collection);
    const change: BulkChange = {
      by,
      madeDue: 0,
      end: () => {
        if (this.#changing.delete(change)) this.bulkChanges += 1;
      },
    };
    this.#changing.set(change, collection);
    this.bulkChanges += 1;
    return change;
  }

  /** Whether a bulk change of this collection is running. */
  isChanging(collection: string): boolean {
    return [...this.#changing.values()].includes(collection);
  }

  /**
   * Counts documents that a part of a bulk change made due; too many hold their collection, in the same transaction.
   */
  countBulk(transaction: Transaction, collection: CatalogCollection, change: BulkChange): void {
    change.madeDue += transaction.madeDue;
    if (transaction.madeDue === 0) return;
    const documents = this.#placement.documents(collection);
    const due = change.madeDue;
    if (!tripsBreaker({ due, documents }, this.#writer.catalog.settings)) return;
    this.#placement.place(transaction, {
      collection,
      cause: 'bulk change',
      index: null,
      by: change.by,
      due,
      durationMs: null,
    });
  }

  #ofClock(): HoldRecord[] {
    return this.#writer.catalog.holds.filter(({ cause }) => isOfClock(cause));
  }
}

function isOfClock(cause: HoldRecord['cause']): boolean {
  return cause === 'clock forward' || cause === 'clock backward';
}
