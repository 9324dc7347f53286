/** Where the row is now that was at `index`; where it left, there. */
export function shownAgainAt<Row>(
  { key, index }: { key: string; index: number },
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): number {
  const same = rows[index];
  if (same !== undefined && keyOf(same) === key) return index;
  const at = rows.findIndex(row => keyOf(row) === key);
  return at === -1 ? index : at;
}
