import type { GridRows } from './grid-rows.ts';

/** The keys of the rows in sight, top to bottom; null for a row that was not read yet. */
export interface RowsInSight {
  firstIndex: number;
  keys: readonly (string | null)[];
}

/**
 * Returns by how many rows to scroll so that the visible rows keep their place after rows were added or removed above
 * them. Returns 0 while the first row is visible, so that the list shows new rows at the top.
 */
export function rowsToScroll<Row>(inSight: RowsInSight, rows: GridRows<Row>): number {
  if (inSight.firstIndex === 0) return 0;
  for (const [i, key] of inSight.keys.entries()) {
    if (key === null) continue;
    const index = inSight.firstIndex + i;
    const same = index < rows.count ? rows.rowAt(index) : undefined;
    if (same !== undefined && rows.keyOf(same) === key) return 0;
    const now = rows.indexOf(key);
    if (now !== undefined) return now - index;
  }
  return 0;
}
