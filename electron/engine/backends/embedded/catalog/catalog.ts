import type { HoldRecord } from '../../../../../shared/contract/reaper.ts';
import type { Settings } from '../../../../../shared/contract/settings.ts';
import { EXPLICIT, type Pause } from '../../../../../shared/model/ttl-index.ts';
import { EXPLICIT_SOURCE } from '../tables/explicit-source.ts';
import type { CatalogIndex } from './catalog-index.ts';

export { EXPLICIT_SOURCE };

export interface CatalogCollection {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly paused: Pause | null;
  readonly documents: number;
  readonly bytes: number;
  /** Index table of explicit expirations. */
  readonly explicit: number;
  /** End of the last pause or hold of explicit expirations, epoch ms; 0 if there was none. */
  readonly resumedAt: number;
  /** Rows up to this one have entries in the tables of governed documents; null: all. */
  readonly recountedThroughRow: number | null;
  readonly indexes: readonly CatalogIndex[];
}

/** A hold, with the number of its collection. */
export type CatalogHold = HoldRecord & { readonly collectionId: number | null };

export interface Catalog {
  readonly paused: Pause | null;
  readonly settings: Settings;
  /** In the order they were placed. */
  readonly holds: readonly CatalogHold[];
  /** By name. */
  readonly collections: ReadonlyMap<string, CatalogCollection>;
  /** The same by number. */
  readonly byId: ReadonlyMap<number, CatalogCollection>;
}

/**
 * An index table and the TTL that is added to its reference times. In a list of sources each document occurs once, so
 * that counts of deadlines add up to documents.
 */
export interface DeadlineSource {
  /** `ttl_indexes.id`, or EXPLICIT_SOURCE. */
  readonly id: number;
  /** Null for explicit expirations. */
  readonly index: CatalogIndex | null;
  readonly name: string;
  readonly table: number;
  readonly addMs: number;
  readonly paused: Pause | null;
}

/**
 * Whether each index has a table of governed documents: a single index governs all its documents, so it needs none
 * [D9].
 */
export function usesGovernedTables(collection: Pick<CatalogCollection, 'indexes'>): boolean {
  return collection.indexes.filter(index => index.isServing).length > 1;
}

/** Whether the tables of governed documents are being rebuilt: until then a document is counted once for each index. */
export function isRecounting(collection: CatalogCollection): boolean {
  return usesGovernedTables(collection) && collection.recountedThroughRow !== null;
}

export function deadlineSources(collection: CatalogCollection): DeadlineSource[] {
  const counted = usesGovernedTables(collection) && !isRecounting(collection);
  return [
    { id: EXPLICIT_SOURCE, index: null, name: EXPLICIT, table: collection.explicit, addMs: 0, paused: null },
    ...collection.indexes
      .filter(index => index.isServing)
      .map(index => ({
        id: index.id,
        index,
        name: index.name,
        table: counted ? (index.governedTable ?? index.table) : index.table,
        addMs: index.addMs,
        paused: index.paused,
      })),
  ];
}

/** Returns the holds that apply to a collection: its own and the store's. */
export function holdsOf({ holds }: Pick<Catalog, 'holds'>, collection: string): CatalogHold[] {
  return holds.filter(one => one.collection === null || one.collection === collection);
}

export function isHeld(catalog: Pick<Catalog, 'holds'>, collection: string): boolean {
  return holdsOf(catalog, collection).length > 0;
}
