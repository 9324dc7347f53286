import { type View, xOf } from '../../../components/canvas-chart/plot.ts';
import { type Slots, slotAt } from '../model/buckets.ts';
import { rangeNeeded } from '../model/range.ts';
import type { TimelineRange } from '../model/timeline-model.ts';
import type { Hit } from '../scene/hit-test.ts';
import type { Camera } from './camera.ts';
import type { Focus, ViewEvents, ViewInput } from './view-events.ts';

/** The frame drawn last. */
export interface DrawnFrame {
  readonly view: View;
  /** Epoch ms. */
  readonly now: number;
  readonly input: ViewInput;
  readonly slots: Slots;
  readonly seriesCount: number;
  /** Whether bars are split into one block per document. */
  readonly blocks: boolean;
  readonly hit: Hit | null;
  /** Start of the focused bucket. */
  readonly focused: number | null;
  readonly byKeyboard: boolean;
  /** Height of the pointer, CSS pixels; undefined: not on the canvas. */
  readonly pointerY: number | undefined;
}

/** Calls the events of a view only for changes: React renders a few times a second, the canvas sixty times. */
export class ViewReporter {
  readonly #events: ViewEvents;
  readonly #camera: Camera;
  #range: TimelineRange | null = null;
  #reported = { focus: '', unit: '', panned: false, nowX: Number.NaN };

  constructor(events: ViewEvents, camera: Camera) {
    this.#events = events;
    this.#camera = camera;
  }

  report(frame: DrawnFrame): void {
    const { view, now, input, slots, blocks } = frame;
    const { span, nowAt } = this.#camera.target;
    const range = rangeNeeded(now - span * nowAt, span, this.#camera.bucketMs, this.#range);
    if (range !== null) {
      this.#range = range;
      this.#events.rangeNeeded(range);
    }
    const bucketMs = input.answer === null ? this.#camera.bucketMs : slots.bucketMs;
    if (`${bucketMs} ${blocks}` !== this.#reported.unit) {
      this.#reported.unit = `${bucketMs} ${blocks}`;
      this.#events.unitChanged({ bucketMs, blocks });
    }
    if (this.#camera.panned !== this.#reported.panned) {
      this.#reported.panned = this.#camera.panned;
      this.#events.panned(this.#camera.panned);
    }
    const nowX = Math.round(xOf(view, now));
    if (nowX !== this.#reported.nowX) {
      this.#reported.nowX = nowX;
      this.#events.nowMoved(nowX);
    }
    this.#reportFocus(frame);
  }

  #reportFocus({
    view,
    now,
    input,
    slots,
    seriesCount,
    hit,
    focused,
    byKeyboard,
    pointerY,
  }: DrawnFrame): void {
    if (focused === null && hit?.kind !== 'overdue') {
      if (this.#reported.focus !== '') this.#events.focused(null);
      this.#reported.focus = '';
      return;
    }
    // Counts change with an answer, distances each second.
    const key = `${focused} ${input.answer?.now} ${Math.floor(now / 1_000)} ${input.zone}`;
    if (key !== this.#reported.focus) {
      this.#reported.focus = key;
      const what: Focus['what'] =
        focused === null
          ? { kind: 'overdue' }
          : { kind: 'bucket', slot: slotAt(slots, focused, seriesCount) };
      this.#events.focused({ what, now, byKeyboard });
    }
    const middle = focused === null ? now : focused + slots.bucketMs / 2;
    this.#events.focusMoved(xOf(view, middle), pointerY ?? view.plot.top + 36);
  }
}
