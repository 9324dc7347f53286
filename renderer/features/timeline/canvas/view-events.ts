import type { Zone } from '../../../../shared/model/zone.ts';
import type { Slot } from '../model/buckets.ts';
import type {
  BucketSpan,
  ReaperStatus,
  TimelineAnswer,
  TimelineRange,
  Variant,
} from '../model/timeline-model.ts';
import type { Zoom } from '../model/zoom.ts';

/** Input of the canvas, set with each render. */
export interface ViewInput {
  readonly answer: TimelineAnswer | null;
  readonly clock: () => number;
  readonly zone: Zone;
  readonly zoom: Zoom;
  readonly reaper: ReaperStatus;
  readonly hidden: ReadonlySet<string>;
  readonly variant: Variant;
  readonly overdueWord: string;
}

/** The unit in the header: the length of a bucket, and whether bars are split into documents. */
export interface TimelineUnit {
  readonly bucketMs: number;
  readonly blocks: boolean;
}

/** The focused bucket or overdue stack. */
export interface Focus {
  readonly what: { readonly kind: 'bucket'; readonly slot: Slot } | { readonly kind: 'overdue' };
  readonly now: number;
  readonly byKeyboard: boolean;
}

export interface ViewEvents {
  zoomed(zoom: Zoom): void;
  rangeNeeded(range: TimelineRange): void;
  opened(span: BucketSpan): void;
  focused(focus: Focus | null): void;
  /** Called with each frame while something is focused. `x`: its middle; `y`: the pointer's height. */
  focusMoved(x: number, y: number): void;
  unitChanged(unit: TimelineUnit): void;
  panned(panned: boolean): void;
  /** Called with the position of the line of now, CSS pixels: messages are placed right of it. */
  nowMoved(x: number): void;
}
