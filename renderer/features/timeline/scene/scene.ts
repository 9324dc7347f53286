import { t } from '@lingui/core/macro';
import type { Zone } from '../../../../shared/model/zone.ts';
import { type Measure, type PlacedFlags, placeFlags } from '../../../components/canvas-chart/labels.ts';
import { clip, type View, xOf } from '../../../components/canvas-chart/plot.ts';
import { formatDuration, formatTime } from '../../../i18n/format.ts';
import { type Slots, slotsWithin } from '../model/buckets.ts';
import { reaperProgress } from '../model/reaper-progress.ts';
import {
  type ReaperStatus,
  type TimelineAnswer,
  type Variant,
  visibleOverdue,
} from '../model/timeline-model.ts';
import { type BarScene, barScene } from './bar-scene.ts';
import { flagRequests } from './flag-requests.ts';
import {
  formatOverdue,
  type OverdueLabel,
  type OverdueStack,
  overdueStack,
  placeOverdueLabel,
} from './overdue.ts';
import { type RulerScene, rulerScene } from './ruler-scene.ts';

export interface SceneInput {
  readonly answer: TimelineAnswer | null;
  readonly slots: Slots;
  readonly visible: readonly boolean[];
  readonly view: View;
  readonly now: number;
  /** Count at the top of the plot. */
  readonly scale: number;
  readonly zone: Zone;
  readonly reaper: ReaperStatus;
  readonly variant: Variant;
  /** `overdue`, or in a preview `expire at once`. */
  readonly overdueWord: string;
  /** Start of the bucket under the pointer or focused by keyboard. */
  readonly focused: number | null;
  readonly density: number;
  readonly measure: Measure;
}

/** The content of one frame, in CSS pixels. Drawing makes no decisions. */
export interface Scene extends RulerScene {
  readonly view: View;
  readonly variant: Variant;
  readonly nowX: number;
  readonly stopped: boolean;
  readonly gap: { readonly x1: number; readonly x2: number } | null;
  readonly bars: BarScene;
  /** Position in the palette, by series. */
  readonly colours: readonly number[];
  readonly overdue: OverdueStack | null;
  readonly overdueLabel: OverdueLabel | null;
  readonly named: PlacedFlags;
  readonly band: { readonly x1: number; readonly x2: number } | null;
}

/** A gap of at least this width, or this age, is labelled; below it, the reaper is in time. */
const TELLING_GAP_PX = 10;
const TELLING_LAG_MS = 5_000;
/** A narrower gap is covered by the line itself, CSS pixels. */
const LEAST_GAP_PX = 1.5;

export function buildScene(input: SceneInput): Scene {
  const { answer, slots, view, now, scale, variant, visible, measure } = input;
  const { plot } = view;
  const preview = variant === 'preview';
  const progress = reaperProgress(answer, input.reaper, now);
  const stopped = progress.stopped && !preview;
  const nowX = xOf(view, now);
  const gapX = preview ? nowX : xOf(view, progress.frontier);
  const gap = nowX - gapX > LEAST_GAP_PX ? clip(view, progress.frontier, now) : null;
  const bars = barScene({
    slots: slotsWithin(slots, view.from, view.from + view.span),
    seriesCount: visible.length,
    view,
    now,
    progress,
    scale,
    preview,
    density: input.density,
  });

  const count = answer === null ? 0 : visibleOverdue(answer, visible);
  const lineInView = nowX > plot.left - 20 && nowX < plot.right + 20;
  const overdue = lineInView ? overdueStack(count, nowX, plot, scale, variant === 'mini') : null;
  const tells =
    stopped ||
    preview ||
    nowX - gapX >= TELLING_GAP_PX ||
    now - progress.frontier > TELLING_LAG_MS ||
    (answer?.series.some(
      (series, index) => visible[index] && series.pausedSince !== null && series.overdue > 0,
    ) ??
      false);
  const isLabelled = count > 0 || (!preview && (gap !== null || stopped) && bars.drawn.length > 0);
  const overdueLabel =
    answer !== null && lineInView && variant !== 'mini' && tells && isLabelled
      ? placeOverdueLabel(
          formatOverdue(answer, visible, count, stopped ? now : answer.now, input.overdueWord),
          { plot, nowX, gapX, stackWidth: overdue?.width ?? 0, right: preview, stopped },
          measure,
        )
      : null;

  const named =
    variant === 'mini'
      ? { flags: [], marks: [] }
      : placeFlags(
          flagRequests(bars.drawn, input),
          overdueLabel === null ? [] : [overdueLabel.box],
          [
            ...bars.drawn.map(({ x1, x2, top }) => ({ x1, x2, y1: top, y2: plot.bottom })),
            { x1: nowX - 2, x2: nowX + 2, y1: 0, y2: plot.bottom },
          ],
          plot,
          measure,
        );
  const band = input.focused === null ? null : clip(view, input.focused, input.focused + slots.bucketMs);
  const ruler = rulerScene({
    view,
    now,
    nowX,
    zone: input.zone,
    scale: bars.drawn.length > 0 || count > 0 ? scale : 0,
    variant,
    lineText: formatNow(input.reaper, now, input.zone, preview),
    edgeText: t`now ${formatTime(now, input.zone)}`,
    glyph: stopped && input.reaper.state !== 'off',
    measure,
  });
  const colours = (answer?.series ?? []).map(({ colour }, position) => colour ?? position);
  return { ...ruler, view, variant, nowX, stopped, gap, bars, colours, overdue, overdueLabel, named, band };
}

/** Returns `now 14:32:38`, or the reason why removal is stopped: `paused 12 m`. */
function formatNow(reaper: ReaperStatus, now: number, zone: Zone, preview: boolean): string {
  if (reaper.state === 'running' || preview) return t`now ${formatTime(now, zone)}`;
  if (reaper.state === 'off') return 'read-only';
  if (reaper.state === 'held' || reaper.since === null) return reaper.state;
  return `${reaper.state} ${coarse(now - reaper.since)}`;
}

/** Only the largest unit is used, because the flag is read at a glance. */
const coarse = (ms: number) =>
  formatDuration(Math.max(1_000, ms - (ms % 1_000)))
    .split(' ')
    .slice(0, 2)
    .join(' ');
