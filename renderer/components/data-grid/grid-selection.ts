import type { GridRows } from './grid-rows.ts';

/** Selected rows by key, each as it was when selected: a selected row may no longer be in memory. */
export type Selected<Row> = ReadonlyMap<string, Row>;

/** Selects the row, or deselects it. */
export function toggled<Row>(selected: Selected<Row>, key: string, row: Row): Selected<Row> {
  const next = new Map(selected);
  if (!next.delete(key)) next.set(key, row);
  return next;
}

/** Adds rows until `limit` are selected. */
export function withRows<Row>(
  selected: Selected<Row>,
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  limit = Number.POSITIVE_INFINITY,
): Selected<Row> {
  const next = new Map(selected);
  for (const row of rows) {
    if (next.size >= limit) break;
    next.set(keyOf(row), row);
  }
  return next;
}

export function withoutKeys<Row>(selected: Selected<Row>, keys: Iterable<string>): Selected<Row> {
  const next = new Map(selected);
  for (const key of keys) next.delete(key);
  return next.size === selected.size ? selected : next;
}

/** Returns the rows in memory from one index to another, both included, in either direction. */
export function rowsBetween<Row>(from: number, to: number, { rowAt }: Pick<GridRows<Row>, 'rowAt'>): Row[] {
  const rows: Row[] = [];
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const row = rowAt(index);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}
