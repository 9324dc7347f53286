import type { Zone } from '../../../../shared/model/zone.ts';
import { zoneName } from '../../../../shared/model/zone.ts';
import type { Measure } from '../../../components/canvas-chart/labels.ts';
import { pixelsPerMs, type View, xOf } from '../../../components/canvas-chart/plot.ts';
import { formatShortCount } from '../../../components/canvas-chart/scale.ts';
import { axisTicks, rulerTicks } from '../../../components/canvas-chart/ticks.ts';
import { gridCounts } from '../model/bar-scale.ts';
import type { Variant } from '../model/timeline-model.ts';

export interface Label {
  readonly x: number;
  readonly text: string;
  readonly strong: boolean;
}

/** Everything around the bars: the ruler above, the grid behind, the axis below, and the flag of now. */
export interface RulerScene {
  readonly grid: readonly { readonly y: number; readonly text: string }[];
  /** Tick marks of the axis; not each has room for a label. */
  readonly axisMarks: readonly number[];
  readonly axis: readonly Label[];
  readonly zone: string;
  readonly ruler: readonly Label[];
  /** The captions at the ends of the ruler; absent if now is beyond that end. */
  readonly captions: { readonly expired: boolean; readonly due: boolean };
  readonly nowFlag: NowFlag;
}

export interface NowFlag {
  readonly x: number;
  readonly width: number;
  readonly text: string;
  /** On the line of now; or at the edge in its direction. */
  readonly place: 'line' | 'left' | 'right';
  /** Whether the state of the reaper is drawn before the text. */
  readonly glyph: boolean;
}

/** Least distance of two labels of the axis, CSS pixels. */
const AXIS_APART = 70;
/** Room for a caption and the space beside it, CSS pixels. */
const CAPTION_LEFT = 84;
const CAPTION_RIGHT = 92;

export interface RulerSceneInput {
  readonly view: View;
  readonly now: number;
  readonly nowX: number;
  readonly zone: Zone;
  /** 0: nothing to measure, no grid. */
  readonly scale: number;
  readonly variant: Variant;
  /** Text on the line: now, or the reason why removal is stopped. Text at an edge: now. */
  readonly lineText: string;
  readonly edgeText: string;
  readonly glyph: boolean;
  readonly measure: Measure;
}

export function rulerScene(input: RulerSceneInput): RulerScene {
  const { view, now, zone, scale, variant, measure } = input;
  const { plot } = view;
  const to = view.from + view.span;
  const mini = variant === 'mini';
  const preview = variant === 'preview';
  const nowFlag = placeNowFlag(input);
  const zoneText = mini ? '' : zoneName(now, zone);
  // Near an edge, the flag takes the place of the caption.
  const captions = {
    expired: !mini && !preview && nowFlag.place !== 'left' && nowFlag.x >= plot.left + CAPTION_LEFT,
    due: !mini && nowFlag.place !== 'right' && nowFlag.x + nowFlag.width <= plot.right - CAPTION_RIGHT,
  };

  const room = plot.bottom - plot.top;
  const grid =
    scale > 0
      ? gridCounts(scale).map(count => ({
          y: plot.bottom - (room * count) / scale,
          text: mini ? '' : formatShortCount(count),
        }))
      : [];

  const ticks = axisTicks(view.from, to, pixelsPerMs(view), zone, { apartPx: AXIS_APART }).map(tick => ({
    ...tick,
    x: xOf(view, tick.at),
  }));
  const axisEnd = plot.right - (mini ? 0 : measure(zoneText, false) + 10);
  const axis = ticks
    .filter(({ x, label, strong }) => {
      const half = measure(label, strong) / 2;
      return x - half >= plot.left - 8 && x + half <= axisEnd;
    })
    .map(({ x, label, strong }) => ({ x, text: label, strong }));

  const rulerLeft = plot.left + (nowFlag.place === 'left' || !preview ? CAPTION_LEFT : 0);
  const rulerRight = plot.right - CAPTION_RIGHT;
  const ruler = mini
    ? []
    : rulerTicks(view.from, to, now, pixelsPerMs(view))
        .map(tick => ({ x: xOf(view, tick.at), text: tick.label, strong: false }))
        .filter(({ x, text }) => {
          const half = measure(text, false) / 2;
          const clear =
            nowFlag.place !== 'line' ||
            Math.abs(x - (nowFlag.x + nowFlag.width / 2)) >= nowFlag.width / 2 + half + 8;
          return clear && x - half >= rulerLeft && x + half <= rulerRight;
        });
  return { grid, axisMarks: ticks.map(tick => tick.x), axis, zone: zoneText, ruler, captions, nowFlag };
}

function placeNowFlag({ view, nowX, lineText, edgeText, glyph, measure }: RulerSceneInput): NowFlag {
  const { plot } = view;
  const place = nowX < plot.left - 4 ? 'left' : nowX > plot.right + 4 ? 'right' : 'line';
  const text = place === 'line' ? lineText : edgeText;
  // Digits differ in width in some fonts; with this width the flag does not change while seconds pass.
  const width = measure(text.replace(/\d/g, '0'), true) + (place !== 'line' ? 22 : glyph ? 28 : 14);
  const fits = (x: number) => Math.min(plot.width - width - 2, Math.max(2, x));
  const x = place === 'left' ? plot.left - 12 : place === 'right' ? plot.right + 6 - width : nowX - width / 2;
  return { x: fits(x), width, text, place, glyph: glyph && place === 'line' };
}
