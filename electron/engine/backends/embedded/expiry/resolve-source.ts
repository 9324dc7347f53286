import { EXPLICIT, noSuchIndex } from '../../../../../shared/model/ttl-index.ts';
import type { IndexTable } from '../../../deadline-index/index-table.ts';
import type { ReapSource } from '../../../expiry/expiry-store.ts';
import { EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { CollectionWriter } from '../write/collection-writer.ts';
import type { Writer } from '../write/writer.ts';

/** A source with its tables. */
export interface ResolvedSource {
  readonly name: string;
  /** Null for explicit expirations. */
  readonly index: CatalogIndex | null;
  readonly collection: CollectionWriter;
  readonly table: IndexTable;
  readonly id: number;
  readonly addMs: number;
  readonly effectiveAt: number;
  /** True if the action reads the document. */
  readonly readsEach: boolean;
}

/** Throws TTL_INDEX_NOT_FOUND, COLLECTION_NOT_FOUND. */
export function resolveSource(
  writer: Writer,
  source: Pick<ReapSource, 'collection' | 'index'>,
): ResolvedSource {
  const collection = writer.collection(source.collection);
  const found = collection.entries.indexes.find(({ index }) => index.name === source.index);
  if (source.index === EXPLICIT)
    return {
      name: EXPLICIT,
      index: null,
      collection,
      table: collection.entries.explicit,
      id: EXPLICIT_SOURCE,
      addMs: 0,
      effectiveAt: collection.catalog.resumedAt,
      readsEach: false,
    };
  if (found === undefined) throw noSuchIndex(source.collection, source.index);
  const { index, table } = found;
  const { id, addMs, effectiveAt } = index;
  const readsEach = index.definition.onExpire.action !== 'delete';
  return { name: source.index, index, collection, table, id, addMs, effectiveAt, readsEach };
}
