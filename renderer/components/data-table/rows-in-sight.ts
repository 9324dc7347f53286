import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState } from 'react';

const OVERSCAN_ROWS = 12;

export interface RowsInSight {
  /** False: all rows are rendered. */
  readonly isWindowed: boolean;
  /** Rows to render: `first` to before `end`. */
  readonly first: number;
  readonly end: number;
  /** Heights of the rows before and after them, px. */
  readonly above: number;
  readonly below: number;
}

export interface RowsInSightOptions {
  count: number;
  /** All rows are of this height, px. */
  rowHeight: number;
  /** With fewer rows, all are rendered. */
  windowedFrom: number;
  /** The element of the rows, within the one that scrolls them. */
  element: { readonly current: Element | null };
}

/** Chooses the rows of a long list that are in sight of the element that scrolls them. */
export function useRowsInSight(options: RowsInSightOptions): RowsInSight {
  const { count, rowHeight, windowedFrom, element } = options;
  const isWindowed = count >= windowedFrom;
  const [scrollMargin, setScrollMargin] = useState(0);
  // Runs after every render, because content above the rows may have changed its height.
  useLayoutEffect(() => {
    const scroller = isWindowed ? scrollerOf(element.current) : null;
    if (scroller === null || element.current === null) return;
    const { top } = element.current.getBoundingClientRect();
    setScrollMargin(top - scroller.getBoundingClientRect().top + scroller.scrollTop);
  });
  const virtual = useVirtualizer<Element, Element>({
    count,
    enabled: isWindowed,
    getScrollElement: () => scrollerOf(element.current),
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
  });
  if (!isWindowed) return { isWindowed, first: 0, end: count, above: 0, below: 0 };
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return { isWindowed, first, end, above: first * rowHeight, below: (count - end) * rowHeight };
}

function scrollerOf(rows: Element | null): Element | null {
  for (let element = rows?.parentElement ?? null; element !== null; element = element.parentElement)
    if (/auto|scroll/.test(getComputedStyle(element).overflowY)) return element;
  return null;
}
