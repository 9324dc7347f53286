import { z } from 'zod';
import { HOLD_CAUSES } from '../model/hold.ts';
import { procedure } from './procedure-builder.ts';
import { collectionName, count, indexName, instant, queryNumber } from './schemas/common-schemas.ts';
import { effectExpectation } from './schemas/effect.ts';

/** The user who paused, and the instant [R6]. */
export const pause = z.object({ by: z.string(), since: instant });

/**
 * Stops expiry in a collection, or with `collection: null` in the whole store, until it is confirmed [R8, R9, R10].
 */
export const holdRecord = z.object({
  id: z.string(),
  collection: collectionName.nullable(),
  cause: z.enum(HOLD_CAUSES),
  /** The index whose definition waits; null: no definition waits. */
  index: indexName.nullable(),
  since: instant,
  by: z.string(),
  /** Number of documents that were due when it began, and number of all. */
  due: count,
  documents: count,
  /** Time for which the store was closed, or by which the clock jumped, ms; null: neither, or not recorded. */
  durationMs: z.number().nullable(),
});
export type HoldRecord = z.infer<typeof holdRecord>;

/** A hold in answers: `sentence` describes it to a person (formatHold). */
export const hold = holdRecord.extend({ sentence: z.string() });
export type Hold = z.infer<typeof hold>;

/** [S1] The store's disk while it is full. */
export const diskFull = z.object({
  since: instant,
  freeBytes: count,
  /** Free bytes required before writes are accepted again. */
  neededBytes: count,
});
export type DiskFull = z.infer<typeof diskFull>;

/**
 * [R6] A paused or failing reaper is never reported as `running`. `off`: nothing is removed, since the connection is read-only [P2]
 * or for the reason in `offBecause`. `engine`: a remote engine removes by itself.
 */
export const reaperState = z.object({
  state: z.enum(['running', 'paused', 'held', 'failing', 'off', 'engine']),
  /** Why it is `off`; absent: the connection is read-only. `not set up`: no TTL index can exist yet. */
  offBecause: z.literal('not set up').optional(),
  /** Whole-store pause. */
  paused: pause.nullable(),
  pausedCollections: z.array(z.object({ collection: collectionName, by: z.string(), since: instant })),
  pausedIndexes: z.array(
    z.object({ collection: collectionName, index: indexName, by: z.string(), since: instant }),
  ),
  holds: z.array(hold),
  /** Next scheduled wake-up; null: none. */
  nextWakeAt: instant.nullable(),
  /** Set while the disk is full and writes are refused; freeing space continues [S1]. */
  diskFull: diskFull.nullable(),
  /** Whether writes are refused after a failed sync; `GET /api/store` has the details [S5]. Absent: no. */
  syncFailed: z.boolean().optional(),
  /** Whether a pass is running. */
  active: z.boolean(),
  /** Set while the reaper waits for a retry after an error. */
  problem: z.object({ message: z.string(), since: instant, retryAt: instant }).nullable(),
  /** Everything due at or before this instant has been removed, except in paused collections and indexes. */
  cutoff: instant.nullable(),
  removedPerSecond: z.number(),
  writtenPerSecond: z.number(),
  /** Tombstones: rows hidden from every read whose bytes are not freed yet. */
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
  /** Number of documents deleted or moved away; 0 with `isUncounted`. */
  removed: count,
  /** The engine ran the pass, and did not report how many documents it removed. */
  isUncounted: z.literal(true).optional(),
  /** Number of documents patched or replaced. */
  changed: count,
  quarantined: count,
  byIndex: z.record(z.string(), count),
  batches: count,
  /** Longest time that one batch held the writer. */
  longestBatchMs: z.number(),
  ending: passEnding,
  error: z.string().nullable(),
});
export type Pass = z.infer<typeof pass>;

const isWhole = ({ collection, index }: { collection?: string | undefined; index?: string | undefined }) =>
  index === undefined || collection !== undefined;
const WITH_COLLECTION = { path: ['index'], message: 'an index is named together with its collection.' };
/** Strict, because with a misspelt name the whole store would be paused. */
const names = z.strictObject({ collection: collectionName.optional(), index: indexName.optional() });
const scope = names
  .refine(isWhole, WITH_COLLECTION)
  .optional()
  .transform(value => value ?? {});
/** `expect`: the effect that a person confirmed [R8]. */
const scopeAndEffect = names
  .extend({ expect: effectExpectation.optional() })
  .strict()
  .refine(isWhole, WITH_COLLECTION)
  .optional()
  .transform(value => value ?? {});
const tags = ['Reaper'];

export const reaper = {
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/reaper', tags, summary: 'State of the reaper' })
    .input(z.object({}).optional())
    .output(reaperState),
  pause: procedure({ permission: 'configure', writes: true, feature: 'reaper' })
    .route({
      method: 'POST',
      path: '/api/reaper/pause',
      tags,
      summary: 'Pause the store, a collection or an index',
    })
    .input(scope)
    .output(reaperState),
  resume: procedure({ permission: 'configure', writes: true, feature: 'reaper' })
    .route({
      method: 'POST',
      path: '/api/reaper/resume',
      tags,
      summary: 'Resume the store, a collection or an index',
    })
    .input(scopeAndEffect)
    .output(reaperState),
  run: procedure({ permission: 'configure', writes: true, feature: 'runPass' })
    .route({
      method: 'POST',
      path: '/api/reaper/run',
      tags,
      summary: 'Start a pass now; what is paused within its scope is skipped',
    })
    .input(scopeAndEffect)
    .output(z.object({ removed: count, changed: count, quarantined: count, passes: z.array(pass) })),
  confirm: procedure({ permission: 'configure', writes: true, feature: 'reaper' })
    .route({
      method: 'POST',
      path: '/api/reaper/confirm',
      tags,
      summary: 'Confirm holds: of a collection, of the store’s clock, or one by its id [R8, R9, R10]',
    })
    .input(
      z
        .strictObject({
          collection: collectionName.optional(),
          hold: z.string().optional(),
          expect: effectExpectation.optional(),
        })
        .default({}),
    )
    .output(reaperState),
  passes: procedure({ permission: 'read', writes: false, feature: 'reaper' })
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
