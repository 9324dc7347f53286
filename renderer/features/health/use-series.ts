import { useMemo } from 'react';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { client, engineNow, orpc, useLiveQuery } from '../../api.ts';
import { useAtTick } from '../../components/time/clock.ts';
import { type Grid, gridOf, MINUTE_MS, SPAN_MINUTES, type Span, spanFor } from './charts/grid.ts';

/** Refresh interval by span: the answer of a long span is large, and a minute of it is less than a pixel. */
const EVERY_MS: Record<Span, number> = { '15m': 4_000, '1h': 4_000, '6h': 15_000, '24h': 60_000 };

export interface SeriesState {
  /** The requested span, or the one that fits the measurements. */
  span: Span;
  grid: Grid | null;
  /** Time of the reading, epoch ms. */
  askedAt: number;
  error: unknown;
}

/** The measurements of a span (null: the one that fits), refreshed during the current minute and at each next one. */
export function useSeries(collection: string | null, asked: Span | null): SeriesState {
  const minute = useAtTick(now => Math.floor(now / MINUTE_MS));
  const wanted = asked ?? '1h';
  const minutes = SPAN_MINUTES[wanted];
  const { data, error } = useLiveQuery(
    {
      queryKey: ['series', collection, wanted, minute],
      queryFn: async ({ signal }) => {
        const to = engineNow();
        const from = (Math.floor(to / MINUTE_MS) - minutes) * MINUTE_MS;
        const points = await client.metrics.series(
          { ...(collection !== null && { collection }), from, to },
          { signal },
        );
        return { askedAt: to, points, minutes, collection };
      },
    },
    { collection, everyMs: EVERY_MS[wanted] },
  );
  // An answer for another collection or span would be drawn under a wrong title.
  const answer =
    data !== undefined && data.minutes === minutes && data.collection === collection ? data : null;
  const span = asked ?? (answer === null ? wanted : spanFor(answer.points, answer.askedAt));
  const grid = useMemo(
    () => (answer === null ? null : gridOf(answer.points, answer.askedAt, SPAN_MINUTES[span])),
    [answer, span],
  );
  return { span, grid, askedAt: answer?.askedAt ?? 0, error };
}

/** Current metrics. */
export function useCurrentMetrics(collection: string | null): Metrics | undefined {
  return useLiveQuery(orpc.metrics.get.queryOptions({ input: collection === null ? {} : { collection } }), {
    collection,
  }).data;
}
