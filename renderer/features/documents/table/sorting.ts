import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';

export type Sort = DocumentsQuery['sort'];

/** What a column is sorted by; undefined where there is nothing to sort it by. */
const SORT_OF: Readonly<Record<string, Sort>> = {
  _id: '_id',
  deadline: 'deadline',
  updatedAt: 'updatedAt',
};

const NO_ORDER_OF_WRITES =
  'Not sorted by last write: only a TTL index that counts from the last write keeps that order';

/** Only an index of the last write keeps the order of the last writes. */
export function keepsWrites(indexes: Iterable<TtlIndex>): boolean {
  for (const { source, state } of indexes)
    if (source.kind === 'lastModified' && state !== 'building') return true;
  return false;
}

/** By what the list can be sorted through this column, or why not. */
export function sortOf(column: string, hasWriteOrder: boolean): { sort?: Sort; why?: string } {
  const sort = SORT_OF[column];
  if (sort === undefined) return {};
  return sort === 'updatedAt' && !hasWriteOrder ? { why: NO_ORDER_OF_WRITES } : { sort };
}
