import type { PartOptions, PartResult } from './writes.ts';

/** A deadline that a job has changed, epoch ms; null: none. */
export interface ChangedDeadline {
  readonly id: string;
  readonly collection: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** The deadlines before bulk changes, and the calls that set them back. */
export interface DeadlineUndo {
  /** Returns the number of deadlines kept for a job. 0: none, or more than are kept. */
  kept(job: string): number;
  /** Returns how many documents of each collection become due by an instant, epoch ms, if a job is undone. */
  dueBy(job: string, by: number): ReadonlyMap<string, number>;
  /** Returns the next deadlines of a job after an id, in the order of ids. */
  page(job: string, after: string, limit: number): readonly ChangedDeadline[];
  /**
   * Sets deadlines back where they are still as the job left them; the others fail with EXPECTATION_FAILED. What is set
   * back is no longer kept. A deadline that has passed meanwhile is not set: its document would be deleted.
   */
  setBack(job: string, changed: readonly ChangedDeadline[], options?: PartOptions): Promise<PartResult>;
}
