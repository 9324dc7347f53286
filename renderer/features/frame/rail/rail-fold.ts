import { mediaQueryStore } from '../../../state/media-query.ts';
import { createStore, type Store, useStore } from '../../../state/store.ts';

/** In narrower windows the sidebar is collapsed by default. */
const isNarrow = mediaQueryStore('(max-width: 1099px)');
/** In windows of this width the sidebar covers the page, and is collapsed again when a page is chosen. */
const covers = mediaQueryStore('(max-width: 719px)');

type Width = 'wide' | 'narrow' | 'covering';

/** Storage keys of the choice, by width; null: the choice is not stored. */
const KEYS: Readonly<Record<Width, string | null>> = {
  wide: 'sandglass.rail',
  narrow: 'sandglass.rail.narrow',
  covering: null,
};

const folded: Readonly<Record<Width, Store<boolean>>> = {
  wide: createStore(localStorage.getItem('sandglass.rail') === 'folded'),
  narrow: createStore(localStorage.getItem('sandglass.rail.narrow') !== 'open'),
  covering: createStore(true),
};

const widthOf = (covering: boolean, narrow: boolean): Width =>
  covering ? 'covering' : narrow ? 'narrow' : 'wide';

export function toggleRail(): void {
  const width = widthOf(covers.get(), isNarrow.get());
  const next = !folded[width].get();
  const key = KEYS[width];
  if (key !== null) localStorage.setItem(key, next ? 'folded' : 'open');
  folded[width].set(next);
}

/** Whether an open sidebar covers the page. */
export function useRailCovers(): boolean {
  return useStore(covers);
}

/** Collapses the sidebar where it covers the page. */
export function uncoverPage(): void {
  folded.covering.set(true);
}

export function useRailFolded(): boolean {
  return useStore(folded[widthOf(useStore(covers), useStore(isNarrow))]);
}
