import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

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
  const scroller = useRef<Element>(null);
  const isScrolling = useRef(false);
  // Runs after renderings, because content above the rows may have changed its height; not while rows scroll, since
  // measuring makes the browser lay out the page once more: half of the code of such a frame.
  useLayoutEffect(() => {
    if (isScrolling.current) return;
    scroller.current = isWindowed ? scrollerOf(element.current) : null;
    if (scroller.current === null || element.current === null) return;
    const { top } = element.current.getBoundingClientRect();
    setScrollMargin(top - scroller.current.getBoundingClientRect().top + scroller.current.scrollTop);
  });
  const virtual = useVirtualizer<Element, Element>({
    count,
    enabled: isWindowed,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
    onChange: ({ isScrolling: scrolls }) => {
      isScrolling.current = scrolls;
    },
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
