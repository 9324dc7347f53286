import { t } from '@lingui/core/macro';
import { skipToken } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { TimelineAnswer as EngineAnswer } from '../../../shared/contract/timeline.ts';
import { engineNow, liveState, orpc, useLive, useLiveQuery } from '../../api.ts';
import { colourPlaces, weightOf } from '../../components/figures/series-colours.ts';
import { changeQuery, usePlace } from '../../components/navigation/location.ts';
import { useZone } from '../../components/time/clock.ts';
import { timelineAnswer, timelineRequest } from './model/engine-answer.ts';
import { foldSeries } from './model/fold-series.ts';
import { waitingIndexes } from './model/legend.ts';
import { reaperStatus } from './model/reaper-status.ts';
import type { BucketSpan, TimelineAnswer, TimelineRange } from './model/timeline-model.ts';
import { ZOOM_PRESETS, type Zoom } from './model/zoom.ts';
import { TimelinePanel } from './TimelinePanel.tsx';

interface LiveTimelineProps {
  /** Null: the whole store, stacked by collection. */
  collection: string | null;
  /** Absent: bars are not links. */
  onOpenBucket?: (span: BucketSpan) => void;
  /** Returns the message of an empty timeline, given the latest counts. */
  message?: (answer: TimelineAnswer, zoomTo: (zoom: Zoom) => void) => ReactNode;
  actions?: ReactNode;
}

const DEFAULT_ZOOM: Zoom = '1h';

/** The zoom in the address: a preset, or a span in ms. */
function readZoom(text: string | null): Zoom {
  const preset = ZOOM_PRESETS.find(name => name === text);
  if (preset !== undefined) return preset;
  const span = Number(text);
  return text !== null && span > 0 ? span : DEFAULT_ZOOM;
}

/** If a pixel represents less time than this, the answer is refreshed at once, otherwise once a second. */
const COARSE_BUCKET_MS = 2_000;
const CLOSE_UP_EVERY_MS = 250;
const EVERY_MS = 1_000;

/**
 * If nothing is late, everything due before the next deadline has been removed: that deadline is the cutoff, regardless
 * of the age of the answer. A document written later with an earlier deadline causes an update, and a new answer.
 */
function asFarAsKnown(answer: EngineAnswer): EngineAnswer {
  const paused = answer.series.reduce(
    (sum, series) => sum + (series.paused === null ? 0 : series.overdue),
    0,
  );
  if (answer.overdue > paused) return answer;
  const reached = answer.nextDeadlineAt === null ? Number.MAX_SAFE_INTEGER : answer.nextDeadlineAt - 1;
  return { ...answer, cutoff: Math.max(answer.cutoff ?? reached, reached) };
}

function drawn(data: EngineAnswer): TimelineAnswer {
  const answer = timelineAnswer(asFarAsKnown(data));
  const places = colourPlaces(
    answer.series.map(({ id }) => id),
    id => weightOf(liveState().collections?.get(id)),
  );
  return foldSeries(answer, places);
}

/** The timeline of a collection or of the whole store, refreshed as the engine's data changes. */
export function LiveTimeline({ collection, onOpenBucket, message, actions }: LiveTimelineProps) {
  const [range, setRange] = useState<TimelineRange | null>(null);
  const [zone] = useZone();
  const { query } = usePlace();
  const zoom = readZoom(query.get('zoom'));
  const reaper = useLive(state => state.reaper);
  const status = useMemo(() => reaperStatus(reaper, collection), [reaper, collection]);
  const waiting = useMemo(
    () => (collection === null ? [] : waitingIndexes(reaper?.holds ?? [], collection)),
    [reaper, collection],
  );
  const { data } = useLiveQuery(
    orpc.timeline.get.queryOptions({
      input: range === null ? skipToken : timelineRequest(range, collection ?? undefined),
    }),
    { collection, everyMs: (range?.bucketMs ?? 0) < COARSE_BUCKET_MS ? CLOSE_UP_EVERY_MS : EVERY_MS },
  );
  const answer = useMemo(() => (data === undefined ? null : drawn(data)), [data]);
  const zoomTo = (next: Zoom) =>
    changeQuery({ zoom: next === DEFAULT_ZOOM ? null : typeof next === 'number' ? Math.round(next) : next });

  return (
    <TimelinePanel
      name={collection === null ? t`Timeline of the whole store` : t`Timeline of ${collection}`}
      answer={answer}
      clock={engineNow}
      zone={zone}
      zoom={zoom}
      onZoomChange={zoomTo}
      reaper={status}
      waiting={waiting}
      onRangeNeeded={setRange}
      {...(onOpenBucket && { onOpenBucket })}
      message={answer === null ? null : message?.(answer, zoomTo)}
      actions={actions}
    />
  );
}
