import { useEffect, useId, useSyncExternalStore } from 'react';

/** Dialogs that are open, the last on top. */
let stack: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a dialog has no other above it: one Escape closes one dialog. */
export function useTopmost(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    change([...stack, id]);
    return () => change(stack.filter(one => one !== id));
  }, [opened, id]);
  return useSyncExternalStore(subscribe, () => stack.at(-1) === id);
}
