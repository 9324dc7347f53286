import { useEffect, useId } from 'react';
import { createStore, useSelected } from '../../state/store.ts';

/** Ids of the open dialogs, the topmost last. */
const openDialogs = createStore<readonly string[]>([]);

/** Whether a dialog is open with no other above it: one Escape closes one dialog. */
export function useTopmost(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    openDialogs.set([...openDialogs.get(), id]);
    return () => openDialogs.set(openDialogs.get().filter(other => other !== id));
  }, [opened, id]);
  return useSelected(openDialogs, ids => ids.at(-1) === id);
}
