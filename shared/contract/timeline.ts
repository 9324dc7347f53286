import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, instant, queryNumber } from './schemas/common-schemas.ts';

const split = z.object({
  expired: count,
  due: count,
  /**
   * Part of `due` that is past its deadline at `now`. Given only in the bucket of `now`, if there are any; in earlier
   * buckets all of `due` is.
   */
  overdue: count.optional(),
});

/** What expires or expired in [fromAt, toAt) [X2]. */
export const timelineBucket = z.object({
  fromAt: instant,
  toAt: instant,
  /** Number of documents removed by the reaper in this bucket, by removal time. */
  expired: count,
  /** Number of stored documents with a deadline in this bucket. */
  due: count,
  /** Counts by series: by index, or by collection in the timeline of the store. Empty series are left out. */
  byIndex: z.record(z.string(), split),
});
export type TimelineBucket = z.infer<typeof timelineBucket>;

const timelineSeries = z.object({
  id: z.string(),
  label: z.string(),
  paused: z.object({ by: z.string(), since: instant }).nullable(),
  overdue: count,
  /** Number of collections that are counted together in this series; absent: one, or an index. */
  collections: count.optional(),
});

export const timelineAnswer = z.object({
  now: instant,
  revision: count,
  /** Everything due at or before this instant has been removed, except in paused series. */
  cutoff: instant.nullable(),
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  /** When the reaper acts on overdue documents [R1]; null: nothing is overdue. */
  actionDueAt: instant.nullable(),
  nextDeadlineAt: instant.nullable(),
  /** The span of all known instants, shown by *All*. */
  earliestAt: instant.nullable(),
  latestAt: instant.nullable(),
  recounting: z.boolean(),
  series: z.array(timelineSeries),
  /** Mean length of a bucket. Long ones meet at whole seconds: each `toAt − fromAt` differs by less than a second. */
  bucketMs: z.number(),
  buckets: z.array(timelineBucket),
  /** Seconds in which many documents expire at once. */
  cliffs: z.array(z.object({ at: instant, count, series: z.string() })),
});
export type TimelineAnswer = z.infer<typeof timelineAnswer>;

export const timeline = {
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/timeline',
      tags: ['Timeline'],
      summary: 'Exact counts of past and future expiries [X2]',
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
