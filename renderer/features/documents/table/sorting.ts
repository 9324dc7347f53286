import { t } from '@lingui/core/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';

export type Sort = DocumentsQuery['sort'];

/** Sort order by column id. */
const SORT_OF: Readonly<Record<string, Sort>> = {
  _id: '_id',
  deadline: 'deadline',
  updatedAt: 'updatedAt',
};

const NO_WRITE_ORDER = t`Sorting by last write needs a TTL index on the last write`;

/** Returns whether documents are kept in the order of their last writes, which only a lastModified index does. */
export function keepsWriteOrder(indexes: Iterable<TtlIndex>): boolean {
  for (const { source, state } of indexes)
    if (source.kind === 'lastModified' && state !== 'building') return true;
  return false;
}

/** Returns the sort order of a column, or the reason why it has none. */
export function sortOf(column: string, hasWriteOrder: boolean): { sort?: Sort; why?: string } {
  const sort = SORT_OF[column];
  if (sort === undefined) return {};
  return sort === 'updatedAt' && !hasWriteOrder ? { why: NO_WRITE_ORDER } : { sort };
}
