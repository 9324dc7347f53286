import { z } from 'zod';
import { collectionName, count, indexName, instant, procedure, queryNumber } from './base.ts';

/** Who stopped it and since when [R6]. */
export const pause = z.object({ by: z.string(), since: instant });

/**
 * Why a collection, or with `collection: null` the whole store, does nothing until it is confirmed [R8, R9, R10].
 * `definition`, `bulk change`, `end of hold`: the circuit breaker. `restored backup`, `import`, `long closed`: data that
 * comes with deadlines already past. `clock forward`, `clock backward`: the clock jumped.
 */
export const hold = z.object({
  id: z.string(),
  collection: collectionName.nullable(),
  cause: z.enum([
    'definition',
    'bulk change',
    'end of hold',
    'restored backup',
    'import',
    'long closed',
    'clock forward',
    'clock backward',
  ]),
  /** The index whose definition waits. */
  index: indexName.nullable(),
  since: instant,
  by: z.string(),
  /** What was due when it began, of how many documents. */
  due: count,
  documents: count,
  /** One sentence for a person. */
  sentence: z.string(),
});
export type Hold = z.infer<typeof hold>;

/** [S1] The store's disk, while there is no room on it. */
export const diskFull = z.object({
  since: instant,
  freeBytes: count,
  /** So many have to be free before writes are taken again. */
  neededBytes: count,
});
export type DiskFull = z.infer<typeof diskFull>;

/**
 * [R6] Shown truthfully: `running` is never said of a reaper that is paused or failing. `off`: the connection is
 * read-only, and nothing is removed there, whatever else is [P2].
 */
export const reaperState = z.object({
  state: z.enum(['running', 'paused', 'held', 'failing', 'off']),
  /** Whole-store pause. */
  paused: pause.nullable(),
  pausedCollections: z.array(z.object({ collection: collectionName, by: z.string(), since: instant })),
  pausedIndexes: z.array(
    z.object({ collection: collectionName, index: indexName, by: z.string(), since: instant }),
  ),
  holds: z.array(hold),
  /** When it next wakes by itself; null: nothing is scheduled. */
  nextWakeAt: instant.nullable(),
  /** Set while the disk is full and writes are refused; what frees space goes on [S1]. */
  diskFull: diskFull.nullable(),
  /** Busy removing now. */
  active: z.boolean(),
  /** Set while it backs off after an error. */
  problem: z.object({ message: z.string(), since: instant, retryAt: instant }).nullable(),
  /** Everything due at or before this is gone, paused ones apart. */
  cutoff: instant.nullable(),
  removedPerSecond: z.number(),
  writtenPerSecond: z.number(),
  /** Rows cut from every read whose bytes are not yet freed for reuse. */
  unswept: count,
});
export type ReaperState = z.infer<typeof reaperState>;

export const passEnding = z.enum(['drained', 'limit', 'paused', 'held', 'error', 'stopped']);

/** [R7] */
export const pass = z.object({
  id: count,
  collection: collectionName,
  trigger: z.enum(['deadline', 'interval', 'cron', 'manual', 'start']),
  startedAt: instant,
  endedAt: instant,
  cutoff: instant,
  /** Deleted or moved away. */
  removed: count,
  /** Patched or replaced, and still there. */
  changed: count,
  quarantined: count,
  byIndex: z.record(z.string(), count),
  batches: count,
  /** Longest time one batch held the writer. */
  longestBatchMs: z.number(),
  ending: passEnding,
  error: z.string().nullable(),
});
export type Pass = z.infer<typeof pass>;

/** Strict: a name misspelt must not widen what is paused to the whole store. */
const scope = z
  .strictObject({ collection: collectionName.optional(), index: indexName.optional() })
  .refine(({ collection, index }) => index === undefined || collection !== undefined, {
    path: ['index'],
    message: 'an index is named together with its collection.',
  })
  .optional()
  .transform(value => value ?? {});
const tags = ['Reaper'];

export const reaper = {
  get: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/reaper', tags, summary: 'The reaper’s true state' })
    .input(z.object({}).optional())
    .output(reaperState),
  pause: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/reaper/pause',
      tags,
      summary: 'Pause the store, a collection or an index',
    })
    .input(scope)
    .output(reaperState),
  resume: procedure({ permission: 'configure', writes: true })
    .route({ method: 'POST', path: '/api/reaper/resume', tags, summary: 'Resume what was paused' })
    .input(scope)
    .output(reaperState),
  run: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/reaper/run',
      tags,
      summary: 'Start a pass now; it spares what is paused more narrowly than what it names',
    })
    .input(scope)
    .output(z.object({ removed: count, changed: count, quarantined: count, passes: z.array(pass) })),
  confirm: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/reaper/confirm',
      tags,
      summary: 'End holds: of one collection, of the whole store’s clock, or one by its id [R8, R9, R10]',
    })
    .input(z.strictObject({ collection: collectionName.optional(), hold: z.string().optional() }).default({}))
    .output(reaperState),
  passes: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/passes', tags, summary: 'History of passes, newest first [R7]' })
    .input(
      z.object({
        collection: collectionName.optional(),
        before: queryNumber.optional(),
        limit: queryNumber.pipe(z.number().int().min(1).max(1000)).default(100),
      }),
    )
    .output(z.object({ passes: z.array(pass), next: count.nullable() })),
};
