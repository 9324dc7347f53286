import { useSyncExternalStore } from 'react';

/** From here on the table stands beside the plot by itself; the style sheet has the same figure. */
const wide = matchMedia('(min-width: 1600px)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
