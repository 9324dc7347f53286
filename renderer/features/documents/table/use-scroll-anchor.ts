import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { slotsMoved } from '../../../components/data-grid/scroll-anchor.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

export const ROW_HEIGHT = 28;
export const HEAD_HEIGHT = 26;

/**
 * What is looked at stays where it is when rows come or leave above it. Where it was is asked of the virtual list, which
 * keeps it: to ask the element would lay the rows out in the middle of a frame.
 */
export function useStillness(virtual: Virtualizer<HTMLDivElement, Element>, snapshot: PagerSnapshot): void {
  const before = useRef(snapshot);
  useLayoutEffect(() => {
    const { rowAt } = before.current;
    before.current = snapshot;
    const { scrollElement, scrollOffset, scrollRect } = virtual;
    if (scrollElement === null || scrollOffset === null || scrollRect === null) return;
    const firstSlot = Math.floor(scrollOffset / ROW_HEIGHT);
    const count = Math.ceil(scrollRect.height / ROW_HEIGHT);
    const ids = Array.from({ length: count }, (_, i) => rowAt(firstSlot + i)?._id ?? '');
    const moved = slotsMoved({ firstSlot, ids }, snapshot.rowAt, snapshot.slots, snapshot.slotOf);
    if (moved !== 0) scrollElement.scrollTop = scrollOffset + moved * ROW_HEIGHT;
  }, [virtual, snapshot]);
}
