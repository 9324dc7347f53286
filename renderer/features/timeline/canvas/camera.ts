import type { TimelineAnswer } from '../model/timeline-model.ts';
import {
  bucketFor,
  type Frame,
  frameOf,
  NOW_AT,
  nowAtAfterZoom,
  spanAfterWheel,
  type Zoom,
} from '../model/zoom.ts';

/** Duration of the animation to a preset, ms; none with reduced motion. */
const ZOOM_MS = 240;

interface Journey {
  readonly from: Frame;
  readonly startedAt: number;
}

/**
 * The view of the timeline: its present frame, its target, and whether it was panned away from now. Wheel and drag
 * move it at once; presets are animated.
 */
export class Camera {
  #frame: Frame = { span: 3_600_000, nowAt: NOW_AT };
  #target: Frame = this.#frame;
  #journey: Journey | null = null;
  #zoom: Zoom = '1h';
  #home = NOW_AT;
  #panned = false;
  readonly #ownSpans = new Set<number>();

  get frame(): Frame {
    return this.#frame;
  }
  /** The end of an animation: the range that is read from the engine. */
  get target(): Frame {
    return this.#target;
  }
  get panned(): boolean {
    return this.#panned;
  }
  get travelling(): boolean {
    return this.#journey !== null;
  }
  get bucketMs(): number {
    return bucketFor(this.#target.span, this.#zoom);
  }

  /**
   * Sets the zoom, beginning at now. A zoom that was set by the wheel arrives later as a prop, and is ignored.
   * `timestamp` null: without animation.
   */
  show(zoom: Zoom, home: number, answer: TimelineAnswer | null, now: number, timestamp: number | null): void {
    this.#home = home;
    if (typeof zoom === 'number' && this.#ownSpans.has(zoom)) {
      if (zoom === this.#target.span) this.#ownSpans.clear();
      return;
    }
    this.#ownSpans.clear();
    this.#zoom = zoom;
    this.backToNow(answer, now, timestamp);
  }

  backToNow(answer: TimelineAnswer | null, now: number, timestamp: number | null): void {
    this.#panned = false;
    this.#travelTo(frameOf(this.#zoom, answer, now, this.#home), timestamp);
  }

  /** Call it once a frame. The zoom *All* follows the known data while it is not panned. */
  advance(answer: TimelineAnswer | null, now: number, timestamp: number): void {
    if (this.#zoom === 'all' && !this.#panned) this.#target = frameOf('all', answer, now, this.#home);
    if (this.#journey === null) {
      if (!this.#panned) this.#frame = this.#target;
      return;
    }
    const progress = Math.min(1, Math.max(0, (timestamp - this.#journey.startedAt) / ZOOM_MS));
    const eased = 1 - (1 - progress) ** 3;
    const { from } = this.#journey;
    const to = this.#target;
    this.#frame = {
      // Interpolated by ratio: linear interpolation would end too fast when zooming in.
      span: from.span * (to.span / from.span) ** eased,
      nowAt: from.nowAt + (to.nowAt - from.nowAt) * eased,
    };
    if (progress === 1) {
      this.#frame = to;
      this.#journey = null;
    }
  }

  /** Returns the new zoom: around now, or around the pointer (`at`: a fraction of the width) if now is out of view. */
  wheel(delta: number, at: number): number {
    const { nowAt } = this.#frame;
    const span = spanAfterWheel(this.#frame.span, delta);
    const keep = nowAt >= 0 && nowAt <= 1 ? nowAt : at;
    this.#set({ span, nowAt: nowAtAfterZoom(this.#frame, span, keep) });
    this.#zoom = span;
    this.#ownSpans.add(span);
    return span;
  }

  /** Pans by a fraction of the width, towards the past if positive. */
  pan(by: number): void {
    this.#panned = true;
    this.#set({ span: this.#frame.span, nowAt: this.#frame.nowAt + by });
  }

  #set(frame: Frame): void {
    this.#journey = null;
    this.#frame = frame;
    this.#target = frame;
  }

  #travelTo(target: Frame, timestamp: number | null): void {
    this.#target = target;
    this.#journey = timestamp === null ? null : { from: this.#frame, startedAt: timestamp };
    if (timestamp === null) this.#frame = target;
  }
}
