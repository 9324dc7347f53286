import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, instant, nothing, queryNumber } from './schemas/common-schemas.ts';

const lagFigures = z.object({
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
  /** Number of documents since the store was opened: selected, deleted or moved, changed in place, quarantined. */
  selected: count,
  removed: count,
  changed: count,
  quarantined: count,
  /** Number of passes since the store was opened, by outcome. */
  passes: z.record(z.string(), count),
  holds: count,
  lag: lagFigures,
  recentLag: lagFigures,
  batchMs: lagFigures,
  removedPerSecond: z.number(),
  writtenPerSecond: z.number(),
  /** Time to remove all overdue documents at the rate last measured; null: unknown. */
  drainMs: z.number().nullable(),
  nextWakeAt: instant.nullable(),
  /** One value per second of the last minute, oldest first, for sparklines. */
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
  /**
   * When its rule made the document due: at the deadline, or later, when the rule took effect or was resumed. Lag in
   * the metrics is counted from then [M1], or from the write of a document that was already due.
   */
  dueSinceAt: instant,
  /** Time from the deadline. */
  lagMs: z.number(),
  revision: count,
  position: count,
  pass: count,
  /** Identifies this expiry when it is restored [X4]. */
  id: z.string(),
  action: z.enum(['delete', 'patch', 'replace', 'move']),
  /**
   * `deleted`: deleted by hand or, on a remote store, by an application or by the server, which is not an expiry; its
   * deadline is the instant of the deletion [X4].
   */
  cause: z.enum(['expired', 'deleted']),
  /** The entry is a partition, removed as a whole, and its rows by the server's statistics; absent: it is a document. */
  partition: z.object({ rows: count }).optional(),
  /** The server deleted it to free memory. */
  isEvicted: z.literal(true).optional(),
  /** Until when the document can be restored, and its size; null: no copy is kept, or it was purged. */
  restorable: z.object({ until: instant, bytes: count }).nullable(),
  isRestored: z.boolean(),
});
export type ExpiredEntry = z.infer<typeof expiredEntry>;

/** One minute of one collection, or of all [M1]. */
export const seriesPoint = z.object({
  at: instant,
  documents: count,
  withDeadline: count,
  overdue: count,
  written: count,
  removed: count,
  changed: count,
  quarantined: count,
  lagP50Ms: z.number().nullable(),
  lagP99Ms: z.number().nullable(),
  lagMaxMs: z.number().nullable(),
  batchMaxMs: z.number().nullable(),
});
export type SeriesPoint = z.infer<typeof seriesPoint>;

export const metrics = {
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/metrics', tags: ['Metrics'], summary: 'Counts, lag and rates [M1]' })
    .input(z.object({ collection: collectionName.optional() }))
    .output(metricsAnswer),
  expired: procedure({ permission: 'read', writes: false, feature: 'removals' })
    .route({
      method: 'GET',
      path: '/api/expired',
      tags: ['Metrics'],
      summary: 'Expired documents and those deleted by hand, newest first',
    })
    .input(
      z.object({
        collection: collectionName.optional(),
        /** Only documents removed for this reason. */
        cause: z.enum(['expired', 'deleted']).optional(),
        before: z.string().optional(),
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
      }),
    )
    .output(z.object({ expired: z.array(expiredEntry), next: z.string().nullable() })),
  series: procedure({ permission: 'read', writes: false, feature: 'series' })
    .route({
      method: 'GET',
      path: '/api/metrics/series',
      tags: ['Metrics'],
      summary: 'Counts, lag and rates per minute, kept across restarts [M1]',
    })
    .input(z.object({ collection: collectionName.optional(), from: queryNumber, to: queryNumber }))
    .output(z.array(seriesPoint)),
  /** The text that `GET /metrics` returns [M2]. */
  prometheus: procedure({ permission: 'read', writes: false, feature: 'prometheus' })
    .input(nothing.optional())
    .output(z.object({ text: z.string(), contentType: z.string() })),
};
