import { useMemo } from 'react';
import { client, engineNow, liveState, useLiveQuery } from '../../api.ts';
import { colourOf, colourPlaces, weightOf } from '../../components/figures/series-colours.ts';

const DAY_MS = 86_400_000;
const BARS = 32;
/** Least interval between reads, ms: the counts of a day change slowly. */
const EVERY_MS = 5_000;

/** Returns null for a collection without known expirations. */
export type NextDayOf = (collection: string) => { due: readonly number[]; colour: string } | null;

/** Expirations of the next 24 hours by collection, in 32 steps, and the colour of each collection on the timeline. */
export function useNextDay(): NextDayOf {
  const { data } = useLiveQuery(
    {
      queryKey: ['next day'],
      queryFn: ({ signal }) => {
        const from = Math.floor(engineNow());
        return client.timeline.get({ from, to: from + DAY_MS, buckets: BARS }, { signal });
      },
    },
    { collection: null, everyMs: EVERY_MS },
  );
  return useMemo(() => {
    const ids = data?.series.map(({ id }) => id) ?? [];
    const places = colourPlaces(ids, id => weightOf(liveState().collections?.get(id)));
    const known = new Set(ids);
    return collection => {
      if (data === undefined || !known.has(collection)) return null;
      const due = Array.from(
        { length: BARS },
        (_, index) => data.buckets[index]?.byIndex[collection]?.due ?? 0,
      );
      return { due, colour: colourOf(places, collection) };
    };
  }, [data]);
}
