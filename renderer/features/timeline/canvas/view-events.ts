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

/** What the canvas is given with each render, and what it tells back. */
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

/** What the header's unit says: the length of a bucket, and whether bars are split into documents. */
export interface TimelineUnit {
  readonly bucketMs: number;
  readonly blocks: boolean;
}

/** The bucket or the overdue stack being read, and where beside it words can stand. */
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
  /** Each frame while something is in focus: middle of it, and the pointer's height. */
  focusMoved(x: number, y: number): void;
  unitChanged(unit: TimelineUnit): void;
  panned(panned: boolean): void;
  /** Where now stands, in px: messages keep to its right. */
  nowMoved(x: number): void;
}
