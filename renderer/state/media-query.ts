import type { ReadableStore } from './store.ts';

/** Returns a store that holds whether a media query matches. */
export function mediaQueryStore(query: string): ReadableStore<boolean> {
  const list = matchMedia(query);
  return {
    get: () => list.matches,
    subscribe: listener => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
  };
}
