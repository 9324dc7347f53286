import { type RefObject, useEffect, useRef } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { PagerSnapshot } from './list/pager-snapshot.ts';
import type { ActiveRow } from './selection/use-active-row.ts';
import type { Selection } from './selection/use-selection.ts';
import type { TableHandle } from './table/DocumentTable.tsx';

interface NavigationInput {
  snapshot: PagerSnapshot;
  active: ActiveRow;
  selection: Selection;
  table: RefObject<TableHandle | null>;
  onMoved: (row: DocumentRecord) => void;
}

/** Moving the active row by keys; with `extend` it selects on the way. */
export function useNavigation({ snapshot, active, selection, table, onMoved }: NavigationInput) {
  const { slot: activeSlot, activate } = active;

  // The end may turn out to lie further on than it was thought: the End key goes there all the same.
  const isGoingToEnd = useRef(false);
  useEffect(() => {
    if (!isGoingToEnd.current || snapshot.slots === 0) return;
    isGoingToEnd.current = !snapshot.isCounted;
    activate(snapshot.slots - 1);
    table.current?.show(snapshot.slots - 1);
  }, [snapshot, activate, table]);

  function moveTo(slot: number, extend: boolean): void {
    const to = Math.max(0, Math.min(slot, snapshot.slots - 1));
    const row = snapshot.rowAt(to);
    // A step never leaves what is read: the next rows are on their way.
    if (row === undefined && Math.abs(to - (activeSlot ?? 0)) === 1) return;
    if (extend) {
      if (activeSlot !== null && !selection.chosen.has(active.row?._id ?? '')) selection.extendTo(activeSlot);
      selection.extendTo(to);
    }
    activate(to);
    table.current?.show(to);
    if (row !== undefined) onMoved(row);
  }

  function step(by: number, extend = false): void {
    isGoingToEnd.current = false;
    moveTo(activeSlot === null ? 0 : activeSlot + by, extend);
  }
  function page(direction: 1 | -1, extend: boolean): void {
    step(direction * Math.max(1, (table.current?.rowsInSight() ?? 10) - 1), extend);
  }
  function toEnd(end: 'first' | 'last'): void {
    isGoingToEnd.current = end === 'last' && !snapshot.isCounted;
    moveTo(end === 'first' ? 0 : snapshot.slots - 1, false);
  }
  return { step, page, toEnd };
}
