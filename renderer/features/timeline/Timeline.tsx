import { t } from '@lingui/core/macro';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Zone } from '../../../shared/model/zone.ts';
import { placeBeside } from '../../components/canvas-chart/readout-place.ts';
import { TimelineView } from './canvas/timeline-view.ts';
import type { Focus, TimelineUnit, ViewEvents, ViewInput } from './canvas/view-events.ts';
import { readBucket, readOverdue, spoken } from './model/bucket-readout.ts';
import type {
  BucketSpan,
  ReaperStatus,
  TimelineAnswer,
  TimelineRange,
  Variant,
} from './model/timeline-model.ts';
import { visibleSeries } from './model/timeline-model.ts';
import type { Zoom } from './model/zoom.ts';
import { TimelineReadout } from './TimelineReadout.tsx';
import classes from './timeline.module.css';

export interface TimelineHandle {
  backToNow(): void;
}

export interface TimelineProps {
  /** The latest counts; null until read. */
  answer: TimelineAnswer | null;
  /** The engine's time, epoch ms: called for every frame. */
  clock: () => number;
  zone: Zone;
  zoom: Zoom;
  onZoomChange: (zoom: Zoom) => void;
  reaper: ReaperStatus;
  /** By id. Pass the same set while its content is the same. */
  hiddenSeries?: ReadonlySet<string>;
  /** Opens a bucket, or the time from the oldest overdue document until now. */
  onOpenBucket?: (span: BucketSpan) => void;
  /** Called when another range must be read from the engine. */
  onRangeNeeded: (range: TimelineRange) => void;
  onUnitChange?: (unit: TimelineUnit) => void;
  onPannedChange?: (panned: boolean) => void;
  /** Shown right of now on an empty timeline. */
  message?: ReactNode;
  variant?: Variant;
  overdueWord?: string;
  label?: string;
  ref?: Ref<TimelineHandle>;
}

const NONE_HIDDEN: ReadonlySet<string> = new Set();
/** Zoom step of the + and − keys, in pixels of the wheel. */
const KEY_ZOOM = 220;

export function Timeline(props: TimelineProps) {
  const { answer, clock, zone, zoom, reaper, variant = 'full', overdueWord = 'overdue' } = props;
  const hidden = props.hiddenSeries ?? NONE_HIDDEN;
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const readout = useRef<HTMLDivElement>(null);
  const place = useRef({ x: 0, y: 0 });
  const view = useRef<TimelineView | null>(null);
  const [focus, setFocus] = useState<Focus | null>(null);

  const input: ViewInput = { answer, clock, zone, zoom, reaper, hidden, variant, overdueWord };
  // The view is kept between renders, so it reads the latest props.
  const latest = useRef({ props, input });
  useLayoutEffect(() => {
    latest.current = { props, input };
    view.current?.update(input);
  });

  // A new readout has a new size.
  useLayoutEffect(() => settle(root, readout, place.current));

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const events: ViewEvents = {
      zoomed: next => latest.current.props.onZoomChange(next),
      rangeNeeded: range => latest.current.props.onRangeNeeded(range),
      opened: span => latest.current.props.onOpenBucket?.(span),
      focused: setFocus,
      focusMoved: (x, y) => {
        place.current = { x, y };
        settle(root, readout, place.current);
      },
      unitChanged: unit => latest.current.props.onUnitChange?.(unit),
      panned: panned => latest.current.props.onPannedChange?.(panned),
      nowMoved: x => root.current?.style.setProperty('--tl-now', `${Math.max(0, x)}px`),
    };
    const created = new TimelineView(canvas.current, context, latest.current.input, events);
    view.current = created;
    return () => {
      view.current = null;
      created.end();
    };
  }, []);

  useImperativeHandle(props.ref, () => ({ backToNow: () => view.current?.backToNow() }), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    if (view.current !== null && handleKey(view.current, event.key, event.shiftKey)) event.preventDefault();
  };

  const reading =
    focus === null || answer === null
      ? null
      : focus.what.kind === 'overdue'
        ? readOverdue(answer, visibleSeries(answer, hidden), focus.now, zone)
        : readBucket(focus.what.slot, answer, focus.now, zone);
  const opens = props.onOpenBucket !== undefined;
  const invitation = !opens
    ? null
    : focus?.byKeyboard
      ? t`Enter opens these documents`
      : t`Click to open these documents`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls; this is one figure with keys of its own
    <div
      ref={root}
      className={classes.plot}
      role="group"
      aria-label={props.label ?? labelFor(opens)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move between buckets
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => view.current?.clearFocus()}
    >
      <canvas ref={canvas} />
      {props.message !== undefined && props.message !== null && (
        <div className={classes.message}>{props.message}</div>
      )}
      {reading !== null && variant !== 'mini' && (
        <TimelineReadout
          ref={readout}
          reading={reading}
          series={answer?.series ?? []}
          invitation={invitation}
        />
      )}
      <span className="visually-hidden" aria-live="polite">
        {reading !== null && focus?.byKeyboard ? <Spoken key={keyOf(focus)} text={spoken(reading)} /> : null}
      </span>
    </div>
  );
}

function settle(
  root: RefObject<HTMLElement | null>,
  readout: RefObject<HTMLElement | null>,
  at: { x: number; y: number },
) {
  if (root.current !== null && readout.current !== null)
    placeBeside(readout.current, root.current, at.x, at.y);
}

const labelFor = (opens: boolean) =>
  opens
    ? t`Timeline of expirations. Arrow keys move between buckets, with Shift between cliffs, Enter opens their documents.`
    : t`Timeline of expirations. Arrow keys move between buckets, with Shift between cliffs.`;

const keyOf = (focus: Focus) => (focus.what.kind === 'bucket' ? focus.what.slot.fromAt : 'overdue');

/** Announced once per bucket, without the distance, which changes every second. */
function Spoken({ text }: { text: string }) {
  const [said] = useState(text);
  return said;
}

function handleKey(view: TimelineView, key: string, shift: boolean): boolean {
  switch (key) {
    case 'ArrowRight':
      view.step(1, shift);
      return true;
    case 'ArrowLeft':
      view.step(-1, shift);
      return true;
    case 'Home':
      view.focusNow();
      return true;
    case 'Enter':
      return view.openFocused();
    case 'Escape':
      view.clearFocus();
      return true;
    case '+':
    case '=':
      view.zoomBy(-KEY_ZOOM);
      return true;
    case '-':
      view.zoomBy(KEY_ZOOM);
      return true;
    default:
      return false;
  }
}
