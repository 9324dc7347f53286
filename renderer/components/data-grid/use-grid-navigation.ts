import { type RefObject, useEffect, useRef } from 'react';
import type { GridRows } from './grid-rows.ts';
import type { GridCommands } from './grid-shortcuts.ts';
import type { ActiveRow } from './use-active-row.ts';
import type { GridSelection } from './use-grid-selection.ts';
import type { GridHandle } from './use-virtual-grid.ts';

interface GridNavigationOptions<Row> {
  rows: GridRows<Row>;
  active: ActiveRow<Row>;
  /** Absent where rows cannot be selected. */
  selection?: Pick<GridSelection<Row>, 'selected' | 'extendTo'> | undefined;
  grid: RefObject<GridHandle | null>;
  onMoved: (row: Row) => void;
}

/** Moves the active row by rows, by pages and to either end. */
export function useGridNavigation<Row>({
  rows,
  active,
  selection,
  grid,
  onMoved,
}: GridNavigationOptions<Row>): Pick<GridCommands, 'move' | 'page' | 'toEnd'> {
  const { index: activeIndex, activate } = active;

  // While the count is an estimate, the last row may be further down: End continues to it.
  const isGoingToEnd = useRef(false);
  useEffect(() => {
    if (!isGoingToEnd.current || rows.count === 0) return;
    isGoingToEnd.current = !rows.isCounted;
    activate(rows.count - 1);
    grid.current?.show(rows.count - 1);
  }, [rows, activate, grid]);

  function moveTo(index: number, extend: boolean): void {
    if (rows.count === 0) return;
    const to = Math.max(0, Math.min(index, rows.count - 1));
    const row = rows.rowAt(to);
    // A single step waits until an unread row has been read.
    if (row === undefined && Math.abs(to - (activeIndex ?? 0)) === 1) return;
    if (extend && selection !== undefined) {
      const isActiveSelected = active.row !== undefined && selection.selected.has(rows.keyOf(active.row));
      if (activeIndex !== null && !isActiveSelected) selection.extendTo(activeIndex);
      selection.extendTo(to);
    }
    activate(to);
    grid.current?.show(to);
    if (row !== undefined) onMoved(row);
  }

  function move(by: number, extend: boolean): void {
    isGoingToEnd.current = false;
    moveTo(activeIndex === null ? 0 : activeIndex + by, extend);
  }
  return {
    move,
    page: (direction, extend) =>
      move(direction * Math.max(1, (grid.current?.rowsInSight() ?? 10) - 1), extend),
    toEnd: end => {
      isGoingToEnd.current = end === 'last' && !rows.isCounted;
      moveTo(end === 'first' ? 0 : rows.count - 1, false);
    },
  };
}
