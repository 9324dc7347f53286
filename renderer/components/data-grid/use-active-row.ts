import { useCallback, useState } from 'react';
import { useLatest } from '../../state/latest.ts';
import type { GridRows } from './grid-rows.ts';

/** The row that keys act on. If it was removed, the row at its index becomes active. */
export interface ActiveRow<Row> {
  index: number | null;
  row: Row | undefined;
  activate: (index: number) => void;
}

export function useActiveRow<Row>(rows: GridRows<Row>): ActiveRow<Row> {
  const [active, setActive] = useState<{ key: string | null; index: number } | null>(null);
  const index = active === null ? null : indexNow(active, rows);
  const latest = useLatest(rows);
  const activate = useCallback(
    (next: number) => {
      const row = latest.current.rowAt(next);
      setActive({ index: next, key: row === undefined ? null : latest.current.keyOf(row) });
    },
    [latest],
  );
  return { index, row: index === null ? undefined : rows.rowAt(index), activate };
}

function indexNow<Row>(
  { key, index }: { key: string | null; index: number },
  rows: GridRows<Row>,
): number | null {
  const row = rows.rowAt(index);
  if (key === null || (row !== undefined && rows.keyOf(row) === key)) return index;
  const moved = rows.indexOf(key);
  if (moved !== undefined) return moved;
  return rows.count === 0 ? null : Math.min(index, rows.count - 1);
}
