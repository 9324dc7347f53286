import type { Virtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { HEAD_HEIGHT, ROW_HEIGHT } from './grid-metrics.ts';
import type { GridRows } from './grid-rows.ts';

/** A person who presses within this time has not seen yet that the row changed, ms. */
const UNSEEN_MS = 300;

/** Listeners of the table. */
export interface PressGuard {
  onPointerMove: (event: PointerEvent) => void;
  onPointerLeave: () => void;
  onPointerDown: () => void;
  onClickCapture: (event: MouseEvent) => void;
}

/**
 * Ignores a click on a row that took the place of another one below a resting pointer a moment ago: the click was meant
 * for that other row. Scrolling and moving the pointer choose a row, so that clicks after them are not ignored.
 */
export function usePressGuard<Row>(
  virtual: Virtualizer<HTMLDivElement, Element>,
  rows: GridRows<Row>,
): PressGuard {
  const before = useRef(rows);
  /** Position of the pointer over the table in the window, px. */
  const pointer = useRef<{ x: number; y: number } | null>(null);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  const isIgnored = useRef(false);

  useLayoutEffect(() => {
    const { current: earlier } = before;
    before.current = rows;
    const { scrollElement, scrollOffset } = virtual;
    if (pointer.current === null || earlier === rows || scrollElement === null || scrollOffset === null)
      return;
    const y = pointer.current.y - scrollElement.getBoundingClientRect().top - HEAD_HEIGHT;
    const was = keyAt(earlier, scrollOffset + y);
    // The element's own offset: a list that became shorter may have been scrolled.
    if (was !== null && was !== keyAt(rows, scrollElement.scrollTop + y))
      changedAt.current = performance.now();
  }, [virtual, rows]);

  return useMemo(
    () => ({
      onPointerMove({ clientX: x, clientY: y }) {
        // Browsers also report a move without one, after the page below the pointer changed.
        if (pointer.current?.x === x && pointer.current.y === y) return;
        pointer.current = { x, y };
        changedAt.current = Number.NEGATIVE_INFINITY;
      },
      onPointerLeave() {
        pointer.current = null;
      },
      onPointerDown() {
        isIgnored.current = performance.now() - changedAt.current < UNSEEN_MS;
      },
      onClickCapture(event) {
        if (!isIgnored.current) return;
        isIgnored.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    }),
    [],
  );
}

/** Returns the key of the row at a distance from the first row's top, px; null: no row in memory. */
function keyAt<Row>(rows: GridRows<Row>, y: number): string | null {
  const index = Math.floor(y / ROW_HEIGHT);
  const row = index < 0 || index >= rows.count ? undefined : rows.rowAt(index);
  return row === undefined ? null : rows.keyOf(row);
}
