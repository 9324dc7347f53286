import { t } from '@lingui/core/macro';
import type { TimelineAnswer } from './timeline-model.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const ZOOM_PRESETS = ['1m', '1h', '1d', '30d', 'all'] as const;
export type ZoomPreset = (typeof ZOOM_PRESETS)[number];
/** A preset, or a span in ms set by the wheel. */
export type Zoom = ZoomPreset | number;

const PRESET_SPANS = { '1m': MINUTE, '1h': HOUR, '1d': DAY, '30d': 30 * DAY };
export const PRESET_NAMES: Readonly<Record<ZoomPreset, string>> = {
  '1m': '1 m',
  '1h': '1 h',
  '1d': '1 d',
  '30d': '30 d',
  all: t`All`,
};

/** Position of now, as a fraction of the width. */
export const NOW_AT = 1 / 3;
/** Position of now in a preview: at the far left, with room for what expires at once. */
export const NOW_AT_IN_PREVIEW = 0.035;
/** Room after the last bar. */
const PREVIEW_MARGIN = 1.01;

const SHORTEST_SPAN = 10 * SECOND;
const LONGEST_SPAN = 400 * 365 * DAY;
/** The zoom *All* of a store without deadlines. */
const ALL_OF_NOTHING = 44 * DAY;
const SHORTEST_ALL = 2 * DAY;
const BUCKETS_ACROSS = 150;

const LADDER = [
  ...[100, 250, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
  ...[DAY, 7 * DAY, 28 * DAY, 91 * DAY, 364 * DAY],
];

/** A span in ms, and the position of now as a fraction of the width: outside 0 to 1 once panned away. */
export interface Frame {
  readonly span: number;
  readonly nowAt: number;
}

/** Returns the frame of a zoom. Only *All* moves now, so that both ends of the known data fit. */
export function frameOf(
  zoom: Zoom,
  answer: Pick<TimelineAnswer, 'earliestAt' | 'latestAt'> | null,
  now: number,
  nowAt: number = NOW_AT,
): Frame {
  if (typeof zoom === 'number') return { span: clampSpan(zoom), nowAt };
  // In a preview the whole span of a preset is after now: the room left of now is added.
  if (zoom !== 'all' && nowAt === NOW_AT_IN_PREVIEW)
    return { span: (PRESET_SPANS[zoom] * PREVIEW_MARGIN) / (1 - nowAt), nowAt };
  if (zoom !== 'all') return { span: PRESET_SPANS[zoom], nowAt };
  const earliest = answer?.earliestAt ?? null;
  const latest = answer?.latestAt ?? null;
  if (earliest === null && latest === null) return { span: ALL_OF_NOTHING, nowAt: 0.5 };
  const before = Math.max(0, now - Math.min(earliest ?? now, now));
  const after = Math.max(0, Math.max(latest ?? now, now) - now);
  // Each side has at least a tenth of the width, for the line, its flag and the overdue stack.
  const span = clampSpan(Math.max(SHORTEST_ALL, (before + after) * 1.04));
  const spare = span - before - after;
  const left = before + (before + after === 0 ? spare / 2 : spare * (before / (before + after)));
  return { span, nowAt: Math.min(0.9, Math.max(0.1, left / span)) };
}

/** The bucket length depends on the zoom only, so that counts are equal in every window. */
export function bucketFor(span: number, zoom: Zoom): number {
  const least = Math.max(span / BUCKETS_ACROSS, zoom === 'all' ? 12 * HOUR : 0);
  const longest = 364 * DAY;
  return LADDER.find(length => length >= least) ?? Math.ceil(least / longest) * longest;
}

function clampSpan(span: number): number {
  return Math.min(LONGEST_SPAN, Math.max(SHORTEST_SPAN, span));
}

/** Returns the span after a turn of the wheel, CSS pixels; down zooms out. */
export function spanAfterWheel(span: number, delta: number): number {
  return clampSpan(span * Math.exp(Math.min(500, Math.max(-500, delta)) * 0.0016));
}

/** Returns the position of now after a zoom that keeps the instant at `keepAt` (a fraction of the width). */
export function nowAtAfterZoom({ span, nowAt }: Frame, nextSpan: number, keepAt: number): number {
  return keepAt - ((keepAt - nowAt) * span) / nextSpan;
}

const ONE: ReadonlyMap<number, string> = new Map([
  [SECOND, 'second'],
  [MINUTE, 'minute'],
  [HOUR, 'hour'],
  [DAY, 'day'],
]);

/** The unit of one bar: `second`, `30 s`, `10 m`, `6 h`, `7 d`. */
export function bucketUnit(bucketMs: number): string {
  const one = ONE.get(bucketMs);
  if (one !== undefined) return one;
  if (bucketMs < SECOND) return t`${bucketMs} ms`;
  if (bucketMs < MINUTE) return `${bucketMs / SECOND} s`;
  if (bucketMs < HOUR) return `${bucketMs / MINUTE} m`;
  if (bucketMs < DAY) return `${bucketMs / HOUR} h`;
  return `${bucketMs / DAY} d`;
}
