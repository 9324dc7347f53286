import { z } from 'zod';
import { base, collectionName, count, instant, queryNumber } from './base.ts';

export const lagFigures = z.object({
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  maxMs: z.number().nullable(),
  count,
});

/** [M1] Lag over the last ten minutes and since the store was opened. */
export const metricsAnswer = z.object({
  now: instant,
  collection: collectionName.nullable(),
  documents: count,
  bytes: count,
  withDeadline: count,
  overdue: count,
  oldestOverdueAt: instant.nullable(),
  dueNextMinute: count,
  removed: count,
  lag: lagFigures,
  recentLag: lagFigures,
  batchMs: lagFigures,
  removedPerSecond: z.number(),
  writtenPerSecond: z.number(),
  /** At the rate last measured; null where unknown. */
  drainMs: z.number().nullable(),
  nextWakeAt: instant.nullable(),
  /** One value a second, oldest first, of the last minute: for sparklines. */
  recent: z.object({ removed: z.array(count), written: z.array(count), lagMaxMs: z.array(z.number()) }),
});
export type Metrics = z.infer<typeof metricsAnswer>;

export const expiredEntry = z.object({
  _id: z.string(),
  collection: collectionName,
  /** The index that acted, or `explicit`. */
  index: z.string(),
  deadlineAt: instant,
  removedAt: instant,
  lagMs: z.number(),
  revision: count,
  position: count,
  pass: count,
});
export type ExpiredEntry = z.infer<typeof expiredEntry>;

export const metrics = {
  get: base
    .route({ method: 'GET', path: '/api/metrics', tags: ['Metrics'], summary: 'Counts, lag and rates [M1]' })
    .input(z.object({ collection: collectionName.optional() }))
    .output(metricsAnswer),
  expired: base
    .route({ method: 'GET', path: '/api/expired', tags: ['Metrics'], summary: 'What expired, newest first' })
    .input(
      z.object({
        collection: collectionName.optional(),
        before: z.string().optional(),
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
      }),
    )
    .output(z.object({ expired: z.array(expiredEntry), next: z.string().nullable() })),
};
