import { useSyncExternalStore } from 'react';

/** Below this width the rail would take what the page needs: folded there until asked for. */
const narrow = matchMedia('(max-width: 1099px)');
const listeners = new Set<() => void>();

// Each width keeps its own choice: unfolding it in a narrow window says nothing about a wide one.
const folded = {
  wide: localStorage.getItem('sandglass.rail') === 'folded',
  narrow: localStorage.getItem('sandglass.rail.narrow') !== 'open',
};

const isFolded = () => (narrow.matches ? folded.narrow : folded.wide);

function announce(): void {
  for (const listener of listeners) listener();
}
narrow.addEventListener('change', announce);

export function toggleRail(): void {
  const next = !isFolded();
  folded[narrow.matches ? 'narrow' : 'wide'] = next;
  localStorage.setItem(narrow.matches ? 'sandglass.rail.narrow' : 'sandglass.rail', next ? 'folded' : 'open');
  announce();
}

export function useRailFolded(): boolean {
  return useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isFolded);
}
