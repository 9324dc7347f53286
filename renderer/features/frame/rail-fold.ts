import { useSyncExternalStore } from 'react';

const KEY = 'sandglass.rail';
const listeners = new Set<() => void>();
let folded = localStorage.getItem(KEY) === 'folded';

export function toggleRail(): void {
  folded = !folded;
  localStorage.setItem(KEY, folded ? 'folded' : 'open');
  for (const listener of listeners) listener();
}

export function useRailFolded(): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => folded,
  );
}
