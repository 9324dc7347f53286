import { useCallback, useEffect, useRef, useState } from 'react';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import { between, type Chosen, NONE_CHOSEN, only, toggled, withAll, without } from './selection.ts';

export interface Selection {
  chosen: Chosen;
  toggle: (slot: number) => void;
  /** From the row last chosen to this one. */
  extendTo: (slot: number) => void;
  selectOnly: (slot: number) => void;
  selectLoaded: () => void;
  set: (chosen: Chosen) => void;
  /** They left. */
  drop: (ids: readonly string[]) => void;
  clear: () => void;
}

/** Documents chosen in the table. Choices go with their document, also out of sight; another query begins anew. */
export function useSelection(snapshot: PagerSnapshot, scope: unknown): Selection {
  const [chosen, set] = useState<Chosen>(NONE_CHOSEN);
  const anchor = useRef<string | null>(null);
  const latest = useRef(snapshot);
  latest.current = snapshot;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scope is what begins anew
  useEffect(() => {
    set(NONE_CHOSEN);
    anchor.current = null;
  }, [scope]);

  const toggle = useCallback((slot: number) => {
    const row = latest.current.rowAt(slot);
    if (row === undefined) return;
    anchor.current = row._id;
    set(current => toggled(current, row));
  }, []);
  const extendTo = useCallback((slot: number) => {
    const from = anchor.current === null ? undefined : latest.current.slotOf(anchor.current);
    if (from === undefined) anchor.current = latest.current.rowAt(slot)?._id ?? null;
    set(current => withAll(current, between(from ?? slot, slot, latest.current.rowAt)));
  }, []);
  const selectOnly = useCallback((slot: number) => {
    const row = latest.current.rowAt(slot);
    anchor.current = row?._id ?? null;
    set(row === undefined ? NONE_CHOSEN : only([row]));
  }, []);
  const selectLoaded = useCallback(() => set(current => withAll(current, latest.current.loaded())), []);
  const drop = useCallback((ids: readonly string[]) => set(current => without(current, ids)), []);
  const clear = useCallback(() => set(NONE_CHOSEN), []);
  return { chosen, toggle, extendTo, selectOnly, selectLoaded, set, drop, clear };
}
