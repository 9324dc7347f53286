import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import type { Preview } from '../../shared/contract/ttl-indexes.ts';
import { engineNow } from '../api.ts';
import { useZone } from '../components/time/clock.ts';
import type { TimelineAnswer } from '../features/timeline/model/timeline-model.ts';
import { Timeline } from '../features/timeline/Timeline.tsx';

const RUNNING = { state: 'running', since: null } as const;
const ignore = () => {};

/** Forecast of a preview: documents due at once stand at now, the others to its right. */
function forecastAnswer({ at, revision, dueAtOnce, forecast }: Preview): TimelineAnswer {
  return {
    now: at,
    revision,
    cutoff: at,
    overdue: dueAtOnce,
    oldestOverdueAt: null,
    actionDueAt: null,
    earliestAt: null,
    latestAt: at + forecast.bucketMs * forecast.due.length,
    recounting: false,
    series: [{ id: 'forecast', label: t`will expire`, pausedSince: null, overdue: dueAtOnce }],
    bucketMs: forecast.bucketMs,
    buckets: forecast.due.map((count, index) => ({
      fromAt: at + index * forecast.bucketMs,
      expired: [0],
      due: [count],
    })),
    cliffs: [],
  };
}

/** Expiries of the next 30 days if the index were built now. */
export function ForecastTimeline({ preview }: { preview: Preview }) {
  const [zone] = useZone();
  const answer = useMemo(() => forecastAnswer(preview), [preview]);
  return (
    <Timeline
      answer={answer}
      clock={engineNow}
      zone={zone}
      zoom="30d"
      onZoomChange={ignore}
      onRangeNeeded={ignore}
      reaper={RUNNING}
      variant="preview"
      overdueWord={t`expire at once`}
      label={t`What would expire in the next 30 days`}
    />
  );
}
