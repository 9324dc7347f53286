import { useEffect, useState } from 'react';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { type Column, columnsOf } from './columns.ts';

/** Columns are derived from the first rows and then fixed, so that they do not change while scrolling. */
export function useStableColumns(collection: string, snapshot: PagerSnapshot): readonly Column[] {
  const [found, setFound] = useState({ collection, columns: columnsOf([]) });
  const isFound = found.collection === collection && found.columns.some(({ path }) => path !== null);
  useEffect(() => {
    if (isFound) return;
    const columns = columnsOf(snapshot.loaded());
    if (columns.some(({ path }) => path !== null)) setFound({ collection, columns });
  }, [isFound, collection, snapshot]);
  return found.columns;
}
