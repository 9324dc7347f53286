import { useMemo } from 'react';
import type { Metrics } from '../../../shared/contract/metrics.ts';
import { client, engineNow, useLiveQuery } from '../../api.ts';
import { useAtTick } from '../../components/time/clock.ts';
import { type Grid, gridOf, MINUTE_MS, SPAN_MINUTES, type Span, spanFor } from './charts/grid.ts';

/** The current minute moves; a long span is a long answer, and a minute of it less than a pixel. */
const EVERY_MS: Record<Span, number> = { '15m': 4_000, '1h': 4_000, '6h': 15_000, '24h': 60_000 };

export interface SeriesState {
  /** The one asked for, or the one that fits what is known. */
  span: Span;
  grid: Grid | null;
  /** When it was asked: the current minute is that old. */
  askedAt: number;
  error: unknown;
}

/** Every minute of the span (null: of the one that fits), asked again as the current one goes on and when the next begins. */
export function useSeries(collection: string | null, asked: Span | null): SeriesState {
  const minute = useAtTick(now => Math.floor(now / MINUTE_MS));
  const wanted = asked ?? '1h';
  const minutes = SPAN_MINUTES[wanted];
  const { data, error } = useLiveQuery({
    key: ['series', collection, wanted, minute],
    ask: async () => {
      const to = engineNow();
      const from = (Math.floor(to / MINUTE_MS) - minutes) * MINUTE_MS;
      const points = await client.metrics.series({ ...(collection !== null && { collection }), from, to });
      return { askedAt: to, points, minutes, collection };
    },
    collection,
    everyMs: EVERY_MS[wanted],
  });
  // Of another collection or span it would be drawn under a wrong title.
  const answer =
    data !== undefined && data.minutes === minutes && data.collection === collection ? data : null;
  const span = asked ?? (answer === null ? wanted : spanFor(answer.points, answer.askedAt));
  const grid = useMemo(
    () => (answer === null ? null : gridOf(answer.points, answer.askedAt, SPAN_MINUTES[span])),
    [answer, span],
  );
  return { span, grid, askedAt: answer?.askedAt ?? 0, error };
}

/** The figures as they are now. */
export function useFigures(collection: string | null): Metrics | undefined {
  return useLiveQuery({
    key: ['metrics', collection],
    ask: () => client.metrics.get(collection === null ? {} : { collection }),
    collection,
  }).data;
}
