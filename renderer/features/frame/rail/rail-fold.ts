import { mediaQueryStore } from '../../../state/media-query.ts';
import { createStore, useStore } from '../../../state/store.ts';

/** In narrower windows the sidebar is collapsed by default. */
const isNarrow = mediaQueryStore('(max-width: 1099px)');

/** Narrow and wide windows keep separate choices. */
const folded = {
  wide: createStore(localStorage.getItem('sandglass.rail') === 'folded'),
  narrow: createStore(localStorage.getItem('sandglass.rail.narrow') !== 'open'),
};

export function toggleRail(): void {
  const [width, key] = isNarrow.get()
    ? (['narrow', 'sandglass.rail.narrow'] as const)
    : (['wide', 'sandglass.rail'] as const);
  const next = !folded[width].get();
  localStorage.setItem(key, next ? 'folded' : 'open');
  folded[width].set(next);
}

export function useRailFolded(): boolean {
  return useStore(folded[useStore(isNarrow) ? 'narrow' : 'wide']);
}
