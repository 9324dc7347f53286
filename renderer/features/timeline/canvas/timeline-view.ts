import { FrameLoop } from '../../../components/canvas-chart/frame-loop.ts';
import { listenForGestures } from '../../../components/canvas-chart/gestures.ts';
import { pixelsPerMs, type View, viewAt } from '../../../components/canvas-chart/plot.ts';
import { Surface } from '../../../components/canvas-chart/surface.ts';
import { EasedScale } from '../model/bar-scale.ts';
import { prepareSlots, type Slots, slotsWithin, stepBucket, stepCliff } from '../model/buckets.ts';
import { visibleSeries } from '../model/timeline-model.ts';
import { NOW_AT, NOW_AT_IN_PREVIEW } from '../model/zoom.ts';
import { type Hit, hitTest } from '../scene/hit-test.ts';
import { marginsOf } from '../scene/margins.ts';
import { buildScene, type Scene } from '../scene/scene.ts';
import { Camera } from './camera.ts';
import { drawScene } from './draw.ts';
import type { ViewEvents, ViewInput } from './view-events.ts';
import { ViewReporter } from './view-reporter.ts';

/** A smaller movement does not change a pixel, device pixels. */
const LEAST_MOVE = 0.1;
const STILL_STEP_MS = 1_000;
/** A bucket focused by keyboard is moved at least this far into view, as a fraction of the width. */
const KEYBOARD_MARGIN = 0.06;

/**
 * The live canvas: has the frame loop, the camera, the pointer and the animated scale, and redraws when time or input
 * changed the picture. Pure functions (`../scene`) compute the content of a frame.
 */
export class TimelineView {
  readonly #surface: Surface;
  readonly #events: ViewEvents;
  readonly #camera = new Camera();
  readonly #scale = new EasedScale();
  readonly #loop: FrameLoop;
  readonly #reporter: ViewReporter;
  readonly #ended = new AbortController();
  #input: ViewInput;
  #slots: Slots = { bucketMs: 1, originAt: 0, list: [] };
  #visible: readonly boolean[] = [];
  #dirty = true;
  #lastNow = 0;
  #lastTimestamp = 0;
  #scene: Scene | null = null;
  #pointer: { x: number; y: number } | null = null;
  #keyboard: number | null = null;

  constructor(
    canvas: HTMLCanvasElement,
    context: CanvasRenderingContext2D,
    input: ViewInput,
    events: ViewEvents,
  ) {
    this.#events = events;
    this.#reporter = new ViewReporter(events, this.#camera);
    this.#input = input;
    this.#surface = new Surface(canvas, context, marginsOf(input.variant), () => {
      this.#dirty = true;
      this.#frame(performance.now());
    });
    this.#camera.show(input.zoom, homeOf(input), input.answer, input.clock(), null);
    this.#prepare();
    this.#loop = new FrameLoop(canvas, timestamp => this.#frame(timestamp));
    listenForGestures(
      canvas,
      {
        hover: at => this.#hover(at),
        drag: byX => this.#drag(byX),
        click: (x, y) => this.#click(x, y),
        zoom: (delta, x) => this.#wheel(delta, x),
      },
      this.#ended.signal,
    );
  }

  update(input: ViewInput): void {
    const before = this.#input;
    this.#input = input;
    if (input.zoom !== before.zoom)
      this.#camera.show(input.zoom, homeOf(input), input.answer, input.clock(), this.#departure());
    if (input.answer !== before.answer || input.hidden !== before.hidden) this.#prepare();
    this.#changed();
  }

  end(): void {
    this.#ended.abort();
    this.#loop.end();
    this.#surface.end();
  }

  backToNow(): void {
    this.#camera.backToNow(this.#input.answer, this.#input.clock(), this.#departure());
    this.#changed();
  }

  /** Moves the focus by a bucket, or to the next cliff. */
  step(direction: 1 | -1, toCliff: boolean): void {
    const now = this.#input.clock();
    const from = this.#focusedBucket();
    const next = toCliff
      ? stepCliff(this.#slots, from, direction, now)
      : stepBucket(this.#slots, from, direction, now);
    if (next === null) return;
    this.#pointer = null;
    this.#keyboard = next;
    this.#bringIntoView(next, now);
    this.#changed();
  }

  focusNow(): void {
    this.#pointer = null;
    this.#keyboard = stepBucket(this.#slots, null, 1, this.#input.clock());
    this.backToNow();
  }

  clearFocus(): void {
    this.#keyboard = null;
    this.#pointer = null;
    this.#changed();
  }

  /** Returns false if nothing is focused. */
  openFocused(): boolean {
    const fromAt = this.#focusedBucket();
    if (fromAt !== null) this.#events.opened({ fromAt, toAt: fromAt + this.#slots.bucketMs });
    return fromAt !== null;
  }

  /** Zooms by a distance of the wheel, CSS pixels. */
  zoomBy(delta: number): void {
    this.#wheel(delta, this.#surface.plot?.left ?? 0);
  }

  #prepare(): void {
    const { answer, hidden } = this.#input;
    this.#visible = answer === null ? [] : visibleSeries(answer, hidden);
    this.#slots =
      answer === null
        ? { bucketMs: this.#camera.bucketMs, originAt: 0, list: [] }
        : prepareSlots(answer, this.#visible);
  }

  /** Start of an animation; null with reduced motion. */
  #departure(): number | null {
    return this.#loop.reducesMotion ? null : performance.now();
  }

  #changed(): void {
    this.#dirty = true;
    this.#loop.invalidate();
  }

  #frame(timestamp: number): void {
    const { plot, density } = this.#surface;
    if (plot === null) return;
    const reducesMotion = this.#loop.reducesMotion;
    const clock = this.#input.clock();
    const now = reducesMotion ? Math.floor(clock / STILL_STEP_MS) * STILL_STEP_MS : clock;
    const travelling = this.#camera.travelling;
    this.#camera.advance(this.#input.answer, now, timestamp);
    const view = viewAt(now, this.#camera.frame, plot);
    const shown = slotsWithin(this.#slots, view.from, view.from + view.span);
    const easing = this.#scale.follow(
      shown,
      this.#slots.bucketMs,
      reducesMotion ? null : timestamp - this.#lastTimestamp,
    );
    this.#lastTimestamp = timestamp;
    const moved = Math.abs(now - this.#lastNow) * pixelsPerMs(view) * density;
    const sameSecond = Math.floor(now / 1_000) === Math.floor(this.#lastNow / 1_000);
    if (!this.#dirty && !travelling && !easing && sameSecond && moved < LEAST_MOVE) return;
    this.#dirty = false;
    this.#lastNow = now;
    this.#draw(view, now);
    this.#report(view, now);
  }

  #draw(view: View, now: number): void {
    const { answer, zone, reaper, variant, overdueWord } = this.#input;
    const { context, palette, hatch, density, measure } = this.#surface;
    this.#scene = buildScene({
      answer,
      slots: this.#slots,
      visible: this.#visible,
      view,
      now,
      scale: this.#scale.value,
      zone,
      reaper,
      variant,
      overdueWord,
      // The pointer's bucket is that of the previous frame: a tenth of a pixel does not change it.
      focused: this.#focusedBucket(),
      density,
      measure: measure.width,
    });
    this.#surface.clear();
    drawScene({ context, palette, hatch }, this.#scene, reaper.state);
  }

  #hit(): Hit | null {
    if (this.#pointer === null || this.#scene === null) return null;
    return hitTest(this.#scene, this.#slots, this.#pointer.x, this.#pointer.y);
  }

  #focusedBucket(): number | null {
    if (this.#keyboard !== null) return this.#keyboard;
    const hit = this.#hit();
    return hit?.kind === 'bucket' ? hit.fromAt : null;
  }

  #report(view: View, now: number): void {
    this.#reporter.report({
      view,
      now,
      input: this.#input,
      slots: this.#slots,
      seriesCount: this.#visible.length,
      blocks: (this.#scene?.bars.blocks ?? false) && this.#slots.list.length > 0,
      hit: this.#hit(),
      focused: this.#focusedBucket(),
      byKeyboard: this.#keyboard !== null,
      pointerY: this.#pointer?.y,
    });
  }

  #hover(at: { x: number; y: number } | null): void {
    this.#pointer = at;
    if (at !== null) this.#keyboard = null;
    const hit = this.#hit();
    this.#surface.canvas.style.cursor =
      hit === null ? 'default' : hit.kind === 'bucket' ? 'crosshair' : 'pointer';
    this.#changed();
  }

  #drag(byX: number): void {
    const { plot } = this.#surface;
    if (this.#input.variant !== 'full' || plot === null) return;
    this.#camera.pan(byX / (plot.right - plot.left));
    this.#changed();
  }

  #click(x: number, y: number): void {
    this.#pointer = { x, y };
    const hit = this.#hit();
    if (hit?.kind === 'backToNow') this.backToNow();
    else if (hit?.kind === 'bucket') this.#events.opened({ fromAt: hit.fromAt, toAt: hit.toAt });
    else if (hit?.kind === 'overdue') {
      const now = this.#input.clock();
      this.#events.opened({ fromAt: this.#input.answer?.oldestOverdueAt ?? now, toAt: now });
    }
  }

  #wheel(delta: number, x: number): void {
    const { plot } = this.#surface;
    if (this.#input.variant !== 'full' || plot === null) return;
    this.#events.zoomed(this.#camera.wheel(delta, (x - plot.left) / (plot.right - plot.left)));
    this.#changed();
  }

  #bringIntoView(fromAt: number, now: number): void {
    const { nowAt, span } = this.#camera.target;
    const at = nowAt + (fromAt + this.#slots.bucketMs / 2 - now) / span;
    if (at < KEYBOARD_MARGIN) this.#camera.pan(KEYBOARD_MARGIN - at);
    else if (at > 1 - KEYBOARD_MARGIN) this.#camera.pan(1 - KEYBOARD_MARGIN - at);
  }
}

const homeOf = ({ variant }: ViewInput) => (variant === 'preview' ? NOW_AT_IN_PREVIEW : NOW_AT);
