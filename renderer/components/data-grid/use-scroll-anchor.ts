import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { ROW_HEIGHT } from './grid-metrics.ts';
import type { GridRows } from './grid-rows.ts';
import { rowsToScroll } from './scroll-anchor.ts';

/**
 * Keeps the rows in sight in place when rows are added or removed above them. Reads the scroll offset from the
 * virtualizer: reading it from the element would force a layout in the middle of a frame.
 */
export function useScrollAnchor<Row>(
  virtual: Virtualizer<HTMLDivElement, Element>,
  rows: GridRows<Row>,
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const { rowAt, keyOf } = before.current;
    before.current = rows;
    const { scrollElement, scrollOffset, scrollRect } = virtual;
    if (scrollElement === null || scrollOffset === null || scrollRect === null) return;
    const firstIndex = Math.floor(scrollOffset / ROW_HEIGHT);
    const keys = Array.from({ length: Math.ceil(scrollRect.height / ROW_HEIGHT) }, (_, i) => {
      const row = rowAt(firstIndex + i);
      return row === undefined ? null : keyOf(row);
    });
    const by = rowsToScroll({ firstIndex, keys }, rows);
    if (by !== 0) scrollElement.scrollTop = scrollOffset + by * ROW_HEIGHT;
  }, [virtual, rows]);
}
