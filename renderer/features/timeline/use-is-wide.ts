import { mediaQueryStore } from '../../state/media-query.ts';
import { useStore } from '../../state/store.ts';

/** From this width on, the table is shown beside the plot; `timeline.css` has the same value. */
const isWide = mediaQueryStore('(min-width: 1600px)');

export function useIsWide(): boolean {
  return useStore(isWide);
}
