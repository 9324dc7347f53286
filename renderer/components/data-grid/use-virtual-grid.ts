import { type Range, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type Ref, type RefObject, useImperativeHandle, useRef } from 'react';
import { HEAD_HEIGHT, ROW_HEIGHT } from './grid-metrics.ts';
import type { GridRows } from './grid-rows.ts';
import { type PressGuard, usePressGuard } from './use-press-guard.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

export interface GridHandle {
  focus: () => void;
  /** Whether the focus is on the table or in one of its rows, not in its head. */
  covers: (focused: Element) => boolean;
  show: (index: number) => void;
  toTop: () => void;
  /** Whole rows that fit below the head. */
  rowsInSight: () => number;
}

interface VirtualGridOptions {
  ref: Ref<GridHandle>;
  /** Number of rows rendered above and below those in sight; ignored with `indexes`. */
  overscan?: number;
  /** Chooses the rows to render; `fitting` is the number of whole rows that fit the scrolled element. */
  indexes?: (range: Range, fitting: number) => number[];
  /** Idle time after which scrolling has ended, ms. */
  idleMs?: number;
}

export interface VirtualGrid {
  scroller: RefObject<HTMLDivElement | null>;
  table: RefObject<HTMLTableElement | null>;
  items: readonly VirtualItem[];
  /** Indexes of the first and the last rendered row. */
  first: number;
  last: number;
  isAtTop: boolean;
  isScrolling: boolean;
  /** Height of the head and of all rows, in memory or not, px. */
  height: number;
  pressGuard: PressGuard;
}

/** Virtual scrolling of a grid whose rows are of one height. */
export function useVirtualGrid<Row>(
  rows: GridRows<Row>,
  { ref, overscan = 10, indexes, idleMs = 150 }: VirtualGridOptions,
): VirtualGrid {
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const virtual: Virtualizer<HTMLDivElement, Element> = useVirtualizer<HTMLDivElement, Element>({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan,
    ...(indexes && {
      // The virtualizer's own height: reading the element's would force a layout.
      rangeExtractor: range => indexes(range, Math.floor((virtual.scrollRect?.height ?? 0) / ROW_HEIGHT)),
    }),
    isScrollingResetDelay: idleMs,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  useScrollAnchor(virtual, rows);
  // After the anchor: it compares the places that rows have in the end.
  const pressGuard = usePressGuard(virtual, rows);
  useImperativeHandle(ref, () => ({
    focus: () => table.current?.focus({ preventScroll: true }),
    covers: focused => focused === table.current || focused.closest('tbody')?.parentElement === table.current,
    show: index => virtual.scrollToIndex(index),
    toTop: () => scroller.current?.scrollTo({ top: 0 }),
    rowsInSight: () => Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT),
  }));
  const items = virtual.getVirtualItems();
  return {
    scroller,
    table,
    items,
    first: items[0]?.index ?? 0,
    last: items.at(-1)?.index ?? 0,
    isAtTop: (virtual.scrollOffset ?? 0) < ROW_HEIGHT,
    isScrolling: virtual.isScrolling,
    height: HEAD_HEIGHT + rows.count * ROW_HEIGHT,
    pressGuard,
  };
}
