/// <reference types="vite/client" />
import { StrictMode, useCallback, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { EmptyState } from '../../../renderer/components/status/EmptyState.tsx';
import { setEngineClock } from '../../../renderer/components/time/clock.ts';
import type { TimelineRange } from '../../../renderer/features/timeline/model/timeline-model.ts';
import { ZOOM_PRESETS, type Zoom } from '../../../renderer/features/timeline/model/zoom.ts';
import { Timeline } from '../../../renderer/features/timeline/Timeline.tsx';
import { TimelinePanel } from '../../../renderer/features/timeline/TimelinePanel.tsx';
import { answerAt, type Situation, START, stoppedAt } from './generator.ts';
import '../../../renderer/theme/index.css';
import './page.css';

/**
 * The timeline without the rest of the app. Parameters of the address:
 * `?situation=held&zoom=1m&theme=dark&store=1&freeze=1&zone=local`; `every` is the time between answers in ms.
 */
const address = new URLSearchParams(location.search);
const situation = (address.get('situation') ?? 'running') as Situation;
const store = address.has('store');
const frozen = address.has('freeze');
const every = Number(address.get('every') ?? 250);
document.documentElement.dataset.theme = address.get('theme') ?? 'light';

const loadedAt = performance.now();
const clock = () => (frozen ? START : START + performance.now() - loadedAt);

setEngineClock(clock);

function Page() {
  const [zoom, setZoom] = useState<Zoom>(ZOOM_PRESETS.find(preset => preset === address.get('zoom')) ?? '1h');
  const [range, setRange] = useState<TimelineRange | null>(null);
  const [now, setNow] = useState(clock);
  const [opened, setOpened] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), every);
    return () => clearInterval(timer);
  }, []);
  const answer = useMemo(
    () => (range === null ? null : answerAt(now, range, situation, store)),
    [now, range],
  );
  const onRangeNeeded = useCallback((next: TimelineRange) => {
    setNow(clock());
    setRange(next);
  }, []);
  const since = stoppedAt(situation);
  const state = situation === 'paused' || situation === 'held' ? situation : 'running';
  const shared = {
    answer,
    clock,
    zone: address.get('zone') === 'local' ? ('local' as const) : ('utc' as const),
    onRangeNeeded,
    reaper: { state, since } as const,
  };
  if (situation === 'preview')
    return (
      <main className="preview">
        <Timeline
          {...shared}
          zoom="30d"
          onZoomChange={setZoom}
          variant="preview"
          overdueWord="expire at once"
          label="Preview of the next 30 days"
        />
      </main>
    );
  return (
    <main>
      <TimelinePanel
        {...shared}
        name="Timeline of sessions"
        zoom={zoom}
        onZoomChange={setZoom}
        onOpenBucket={span => setOpened(JSON.stringify(span))}
        message={situation === 'no-ttl' ? <NoTtl /> : situation === 'nothing-due' ? <NothingDue /> : null}
      />
      <output className="sr">{opened}</output>
    </main>
  );
}

function NoTtl() {
  return (
    <EmptyState
      icon="glass"
      title="No TTL configured"
      actions={
        <button type="button" className="btn primary">
          Create TTL index…
        </button>
      }
    >
      audit_logs has 2,306,118 documents and no rule that removes any. It grows by 26,880 a day.
    </EmptyState>
  );
}

function NothingDue() {
  return (
    <EmptyState
      icon="live"
      title="Nothing is due in this window"
      actions={
        <button type="button" className="btn">
          Zoom to 1 d
        </button>
      }
    >
      The next session leaves in 4 h 12 m, at 18:44:50 UTC.
    </EmptyState>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
createRoot(root).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
