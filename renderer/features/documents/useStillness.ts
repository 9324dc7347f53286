import { useLayoutEffect, useRef } from 'react';
import { type InSight, slotsMoved } from './anchor.ts';
import type { PagerSnapshot } from './pagerSnapshot.ts';

export const ROW_HEIGHT = 28;
export const HEAD_HEIGHT = 26;

/** What is looked at stays where it is when rows come or leave above it. */
export function useStillness(
  scroller: { readonly current: HTMLDivElement | null },
  snapshot: PagerSnapshot,
): void {
  const inSight = useRef<InSight>({ firstSlot: 0, ids: [] });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const moved = slotsMoved(inSight.current, snapshot.rowAt, snapshot.slots, snapshot.slotOf);
    if (moved !== 0) element.scrollTop += moved * ROW_HEIGHT;
    const note = () => {
      const firstSlot = Math.floor(element.scrollTop / ROW_HEIGHT);
      const count = Math.ceil(element.clientHeight / ROW_HEIGHT);
      const ids = Array.from({ length: count }, (_, i) => snapshot.rowAt(firstSlot + i)?._id ?? '');
      inSight.current = { firstSlot, ids };
    };
    note();
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [scroller, snapshot]);
}
