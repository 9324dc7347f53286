import { EXPLICIT } from '../../../shared/model/ttl-index.ts';
import { client, engineNow, liveState, useLiveQuery } from '../../api.ts';
import { colourOf, colourPlaces, weightOf } from '../../components/figures/series-colours.ts';

/** Least interval between reads, ms: series change with indexes, not with documents. */
const EVERY_MS = 10_000;

/**
 * Returns the colour of a series on the timeline: that of an index (null: set by hand), or of a collection on the
 * store's timeline.
 */
export type ColourOfSeries = (series: string | null) => string | null;

/** Colours on the timeline of a collection, or of the whole store (null). */
export function useSwatches(collection: string | null): ColourOfSeries {
  const { data } = useLiveQuery(
    {
      queryKey: ['series', 'colours', collection],
      queryFn: ({ signal }) => {
        const from = Math.floor(engineNow());
        const span = { from, to: from + 1_000, buckets: 1 };
        return client.timeline.get({ ...(collection !== null && { collection }), ...span }, { signal });
      },
    },
    { collection, everyMs: EVERY_MS },
  );
  const ids = data?.series.map(({ id }) => id) ?? [];
  const places = colourPlaces(ids, id => weightOf(liveState().collections?.get(id)));
  return series => {
    const id = series ?? EXPLICIT;
    return ids.includes(id) ? colourOf(places, id) : null;
  };
}
