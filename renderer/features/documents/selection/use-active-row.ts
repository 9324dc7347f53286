import { useCallback, useRef, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';

/** The row the keys act on: it goes with its document, and to the next one where its document left. */
export interface ActiveRow {
  slot: number | null;
  row: DocumentRecord | undefined;
  activate: (slot: number) => void;
  clear: () => void;
}

export function useActiveRow(snapshot: PagerSnapshot): ActiveRow {
  const [active, setActive] = useState<{ id: string | undefined; slot: number } | null>(null);
  const slot = active === null ? null : whereNow(active, snapshot);
  const row = slot === null ? undefined : snapshot.rowAt(slot);
  const latest = useRef(snapshot);
  latest.current = snapshot;
  const activate = useCallback(
    (next: number) => setActive({ slot: next, id: latest.current.rowAt(next)?._id }),
    [],
  );
  const clear = useCallback(() => setActive(null), []);
  return { slot, row, activate, clear };
}

function whereNow(active: { id: string | undefined; slot: number }, snapshot: PagerSnapshot): number | null {
  if (active.id === undefined || snapshot.rowAt(active.slot)?._id === active.id) return active.slot;
  const moved = snapshot.slotOf(active.id);
  if (moved !== undefined) return moved;
  return snapshot.slots === 0 ? null : Math.min(active.slot, snapshot.slots - 1);
}
