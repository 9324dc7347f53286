/** The rows of a list by index, of which some may not be in memory. */
export interface GridRows<Row> {
  readonly count: number;
  /** False while `count` is an estimate. */
  readonly isCounted: boolean;
  rowAt(index: number): Row | undefined;
  keyOf(row: Row): string;
  /** Returns undefined for a key that is not in memory. */
  indexOf(key: string): number | undefined;
  /** Rows in memory, in order. */
  loaded(): readonly Row[];
}

/** Rows that are all in memory. */
export function arrayRows<Row>(rows: readonly Row[], keyOf: (row: Row) => string): GridRows<Row> {
  return {
    count: rows.length,
    isCounted: true,
    rowAt: index => rows[index],
    keyOf,
    indexOf: key => {
      const index = rows.findIndex(row => keyOf(row) === key);
      return index === -1 ? undefined : index;
    },
    loaded: () => rows,
  };
}
