import { t } from '@lingui/core/macro';
import type { TimelineAnswer as EngineAnswer } from '../../../../shared/contract/timeline.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { TimelineAnswer, TimelineRange } from './timeline-model.ts';

/** The request for a range of the view. */
export function timelineRequest(range: TimelineRange, collection?: string) {
  const { from, to, bucketMs } = range;
  const buckets = Math.round((to - from) / bucketMs);
  return collection === undefined ? { from, to, buckets } : { collection, from, to, buckets };
}

/**
 * Converts the engine's answer: counts by position instead of name, because every frame reads all of them. Series keep
 * the order of the engine, and so their colours.
 */
export function timelineAnswer(answer: EngineAnswer): TimelineAnswer {
  const { series, buckets, cliffs, ...rest } = answer;
  const position = new Map(series.map(({ id }, index) => [id, index]));
  return {
    ...rest,
    series: series.map(({ id, label, overdue, paused, collections }) => ({
      id,
      // The engine's name of explicit expirations; every other series is named by its id.
      label: id === EXPLICIT && label !== id ? t`set by hand` : label,
      overdue,
      pausedSince: paused?.since ?? null,
      ...(collections !== undefined && { collections }),
    })),
    buckets: buckets.map(({ fromAt, byIndex }) => ({
      fromAt,
      expired: series.map(({ id }) => byIndex[id]?.expired ?? 0),
      due: series.map(({ id }) => byIndex[id]?.due ?? 0),
      ...(Object.values(byIndex).some(({ overdue }) => overdue !== undefined) && {
        overdue: series.map(({ id }) => byIndex[id]?.overdue ?? 0),
      }),
    })),
    cliffs: cliffs.flatMap(cliff => {
      const index = position.get(cliff.series);
      return index === undefined ? [] : [{ at: cliff.at, count: cliff.count, series: index }];
    }),
  };
}
