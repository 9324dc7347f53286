import { z } from 'zod';
import { collectionName, count, instant, procedure, queryNumber } from './base.ts';

const split = z.object({ expired: count, due: count });

/** [X2] */
export const timelineBucket = z.object({
  fromAt: instant,
  toAt: instant,
  /** Removed by the reaper in this bucket, by removal time. */
  expired: count,
  /** Stored, with a deadline in this bucket. */
  due: count,
  /** By series: an index, or a collection where no collection was asked for. Only series that count something. */
  byIndex: z.record(z.string(), split),
});
export type TimelineBucket = z.infer<typeof timelineBucket>;

export const timelineSeries = z.object({
  id: z.string(),
  label: z.string(),
  paused: z.object({ by: z.string(), since: instant }).nullable(),
  overdue: count,
});
export type TimelineSeries = z.infer<typeof timelineSeries>;

export const timelineAnswer = z.object({
  now: instant,
  revision: count,
  /** Everything due at or before this is gone, paused series apart. */
  cutoff: instant.nullable(),
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  /** When the reaper is to act on what is overdue [R1]; null: nothing is. */
  actionDueAt: instant.nullable(),
  nextDeadlineAt: instant.nullable(),
  /** Earliest and latest instant anything is known for: what *All* shows. */
  earliestAt: instant.nullable(),
  latestAt: instant.nullable(),
  recounting: z.boolean(),
  series: z.array(timelineSeries),
  bucketMs: z.number(),
  buckets: z.array(timelineBucket),
  /** Seconds in which many documents leave as one. */
  cliffs: z.array(z.object({ at: instant, count, series: z.string() })),
});
export type TimelineAnswer = z.infer<typeof timelineAnswer>;

export const timeline = {
  get: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/timeline',
      tags: ['Timeline'],
      summary: 'Exact counts of what will and what did expire [X2]',
    })
    .input(
      z.object({
        collection: collectionName.optional(),
        from: queryNumber,
        to: queryNumber,
        buckets: queryNumber.pipe(z.number().int().min(1).max(2000)).default(60),
      }),
    )
    .output(timelineAnswer),
};
