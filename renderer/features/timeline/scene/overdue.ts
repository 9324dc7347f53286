import { t } from '@lingui/core/macro';
import type { Box, Measure } from '../../../components/canvas-chart/labels.ts';
import type { Plot } from '../../../components/canvas-chart/plot.ts';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import { TORN_ABOVE } from '../model/bar-scale.ts';
import type { TimelineAnswer } from '../model/timeline-model.ts';

/** Overdue documents as one stack at the line of now, on the scale of the bars. */
export interface OverdueStack {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly torn: boolean;
  readonly count: number;
}

export function overdueStack(
  count: number,
  nowX: number,
  plot: Plot,
  scale: number,
  mini: boolean,
): OverdueStack | null {
  if (count <= 0) return null;
  const width = mini ? 7 : 10;
  const room = plot.bottom - plot.top;
  const torn = count > scale * TORN_ABOVE;
  const height = torn ? room - 16 : Math.max(2, (room * count) / scale);
  return { x: nowX - width - 1, y: plot.bottom - height, width, height, torn, count };
}

export interface OverdueLabel {
  readonly strong: string;
  readonly rest: string;
  readonly x: number;
  readonly y: number;
  readonly restX: number;
  readonly box: Box;
  /** Drawn within the gap, on its background. */
  readonly inGap: boolean;
  readonly bracket: {
    readonly x1: number;
    readonly x2: number;
    readonly y: number;
    readonly open: boolean;
  } | null;
}

/** Width of the glyph before the text, with its space. */
const GLYPH = 14;
/** A gap caused by a pause or hold is bracketed also without room for its text. */
const LEAST_BRACKET = 40;

/** Left of the line; in the middle of the gap if that has room; right of the line if there is none at the left. */
export function placeOverdueLabel(
  label: { strong: string; rest: string },
  where: { plot: Plot; nowX: number; gapX: number; stackWidth: number; right: boolean; stopped: boolean },
  measure: Measure,
): OverdueLabel {
  const { plot, nowX, stackWidth } = where;
  const strongWidth = measure(label.strong, true);
  const width = GLYPH + strongWidth + measure(label.rest, false);
  const y = plot.top + 8;
  const gapLeft = Math.max(plot.left, where.gapX);
  const gapRight = nowX - stackWidth - 4;
  const right = where.right || nowX - 8 - width < plot.left + 2;
  const inGap = !right && gapRight - gapLeft > width + 8;
  const bracketed = inGap || (where.stopped && gapRight - gapLeft > LEAST_BRACKET);
  const x = right ? nowX + 8 : inGap ? (gapLeft + gapRight - width) / 2 : nowX - 8 - width;
  return {
    ...label,
    x,
    y,
    restX: x + GLYPH + strongWidth,
    box: { x1: x - 4, x2: x + width + 4, y1: y - 8, y2: y + 8 },
    inGap,
    bracket: bracketed ? { x1: gapLeft + 1, x2: gapRight, y: y + 13, open: where.gapX < plot.left } : null,
  };
}

/**
 * Returns `6 overdue · oldest 1.6 s`, with the series if it is paused while others are in time. `asOf`: now while
 * removal is stopped; while the reaper runs, the instant of the answer, because the oldest may be removed by now.
 */
export function formatOverdue(
  answer: TimelineAnswer,
  visible: readonly boolean[],
  count: number,
  asOf: number,
  word: string,
): { strong: string; rest: string } {
  const strong = `${formatCount(count)} ${word}`;
  if (count === 0 || answer.oldestOverdueAt === null) return { strong, rest: '' };
  const holding = answer.series
    .filter((series, position) => visible[position] && series.pausedSince !== null && series.overdue > 0)
    .toSorted((a, b) => (a.pausedSince ?? 0) - (b.pausedSince ?? 0))[0];
  const oldest = t` · oldest ${formatDuration(Math.max(0, asOf - answer.oldestOverdueAt))}`;
  return { strong, rest: holding === undefined ? oldest : `${oldest}, ${holding.label}` };
}
