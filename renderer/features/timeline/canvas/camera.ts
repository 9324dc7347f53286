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

/** How long a preset takes, unless nothing may move. */
const ZOOM_MS = 240;

interface Journey {
  readonly from: Frame;
  readonly startedAt: number;
}

/**
 * Which frame of time is looked at: where it is, where it is going, and whether it was panned away from now.
 * The wheel and the hand move it at once; presets travel.
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
  /** Where a journey will end: what the engine is asked for. */
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
   * A zoom from outside begins at now again; one the wheel made comes back as a prop, late, and changes nothing.
   * `timestamp` null: jump.
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

  /** Once a frame. *All* follows what is known, as long as it is looked at from its place. */
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
      // By ratio, or the last instants of a long way in would take all of the time.
      span: from.span * (to.span / from.span) ** eased,
      nowAt: from.nowAt + (to.nowAt - from.nowAt) * eased,
    };
    if (progress === 1) {
      this.#frame = to;
      this.#journey = null;
    }
  }

  /** The new zoom. About now; where now is out of view, about the pointer (`at`: a fraction of the width). */
  wheel(delta: number, at: number): number {
    const { nowAt } = this.#frame;
    const span = spanAfterWheel(this.#frame.span, delta);
    const keep = nowAt >= 0 && nowAt <= 1 ? nowAt : at;
    this.#set({ span, nowAt: nowAtAfterZoom(this.#frame, span, keep) });
    this.#zoom = span;
    this.#ownSpans.add(span);
    return span;
  }

  /** By a fraction of the width, towards the past where positive. */
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
