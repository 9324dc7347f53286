import { client, engineNow, useLiveQuery } from '../../api.ts';

const DAY_MS = 86_400_000;
const BARS = 32;
/** A day's shape does not change by the second. */
const EVERY_MS = 5_000;

/** What leaves in the next 24 hours, by collection, in 32 steps; and the colour each has on the timeline. */
export function useNextDay(): (collection: string) => { due: readonly number[]; colour: string } | null {
  const { data } = useLiveQuery({
    key: ['next day'],
    ask: () => {
      const from = Math.floor(engineNow());
      return client.timeline.get({ from, to: from + DAY_MS, buckets: BARS });
    },
    collection: null,
    everyMs: EVERY_MS,
  });
  return collection => {
    const position = data?.series.findIndex(({ id }) => id === collection) ?? -1;
    if (data === undefined || position < 0) return null;
    const due = Array.from(
      { length: BARS },
      (_, index) => data.buckets[index]?.byIndex[collection]?.due ?? 0,
    );
    // The timeline colours series by their place, six colours round.
    return { due, colour: `var(--series-${(position % 6) + 1})` };
  };
}
