import { useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from '../../state/latest.ts';
import type { GridRows } from './grid-rows.ts';
import { rowsBetween, type Selected, toggled, withoutKeys, withRows } from './grid-selection.ts';

export interface GridSelection<Row> {
  selected: Selected<Row>;
  toggle: (index: number) => void;
  /** Selects the rows from the one toggled last to this one. */
  extendTo: (index: number) => void;
  selectLoaded: () => void;
  set: (selected: Selected<Row>) => void;
  drop: (keys: readonly string[]) => void;
  clear: () => void;
}

interface GridSelectionOptions<Row> {
  /** The selection is cleared when the scope changes. */
  scope: unknown;
  /** Default: every row can be selected. */
  canSelect?: (row: Row) => boolean;
  /** Most rows selected at once. */
  limit?: number;
}

/** Selected rows of a grid, by key: rows stay selected when they are dropped from memory. */
export function useGridSelection<Row>(
  rows: GridRows<Row>,
  options: GridSelectionOptions<Row>,
): GridSelection<Row> {
  const [selected, set] = useState<Selected<Row>>(new Map());
  const anchor = useRef<string | null>(null);
  const latest = useLatest({ rows, ...options });

  const clear = useCallback(() => set(current => (current.size === 0 ? current : new Map())), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: clears when the scope changes
  useEffect(() => {
    clear();
    anchor.current = null;
  }, [options.scope]);

  const add = useCallback(
    (added: readonly Row[]) => {
      const { rows, canSelect = () => true, limit } = latest.current;
      set(current => withRows(current, added.filter(canSelect), rows.keyOf, limit));
    },
    [latest],
  );
  const toggle = useCallback(
    (index: number) => {
      const { rows, canSelect = () => true } = latest.current;
      const row = rows.rowAt(index);
      if (row === undefined) return;
      const key = rows.keyOf(row);
      anchor.current = key;
      set(current => (current.has(key) || canSelect(row) ? toggled(current, key, row) : current));
    },
    [latest],
  );
  const extendTo = useCallback(
    (index: number) => {
      const { rows } = latest.current;
      const from = anchor.current === null ? undefined : rows.indexOf(anchor.current);
      const row = rows.rowAt(index);
      if (from === undefined) anchor.current = row === undefined ? null : rows.keyOf(row);
      add(rowsBetween(from ?? index, index, rows));
    },
    [add, latest],
  );
  const selectLoaded = useCallback(() => add(latest.current.rows.loaded()), [add, latest]);
  const drop = useCallback((keys: readonly string[]) => set(current => withoutKeys(current, keys)), []);
  return { selected, toggle, extendTo, selectLoaded, set, drop, clear };
}
