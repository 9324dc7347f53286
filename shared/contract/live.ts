import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { collectionName, count, instant, nothing, procedure } from './base.ts';
import { collectionSummary } from './collections.ts';
import { connection } from './connections.ts';
import { job } from './jobs.ts';
import { permission } from './permissions.ts';
import { diskFull, reaperState } from './reaper.ts';

/** What changed since the last one; at most ten a second, however much happens. */
export const liveUpdate = z.object({
  now: instant,
  revision: count,
  reaper: reaperState,
  /** New or changed. The first update holds them all. */
  collections: z.array(collectionSummary),
  dropped: z.array(collectionName),
  jobs: z.array(job),
  /** As `connections.list` answers it; in the first update, and whenever the list or a state of it changed. */
  connections: z.array(connection).optional(),
  first: z.boolean(),
});
export type LiveUpdate = z.infer<typeof liveUpdate>;

export const storeInfo = z.object({
  file: z.string(),
  name: z.string(),
  version: z.string(),
  bytes: count,
  revision: count,
  now: instant,
  user: z.string(),
  /** What the caller may do [P1]. */
  permission,
  /** `follower`: it mirrors a leader and takes no writes [V5]. */
  role: z.enum(['leader', 'follower']),
  /**
   * Of a follower: its leader; since when it had no word from it beyond `syncTimeout`; why it cannot go on at the moment; and
   * the last replay that failed, after which the store was copied anew (`at` by the follower's own clock).
   */
  leader: z
    .object({
      url: z.string(),
      staleSince: instant.nullable(),
      behind: count,
      problem: z.string().nullable(),
      failedReplay: z.object({ at: instant, reason: z.string() }).nullable(),
    })
    .nullable(),
  /** The id of the connection that was asked. */
  connection: z.string(),
  /** Nobody writes here and nothing is removed, whatever the caller may do; what is due is hidden all the same [P2]. */
  readOnly: z.boolean(),
  /** The caller may name paths of the machine; others name files of the host's folders [P1]. */
  namesPaths: z.boolean(),
  /** Set while the disk is full and writes are refused [S1]. */
  diskFull: diskFull.nullable(),
});
export type StoreInfo = z.infer<typeof storeInfo>;

/** What the bytes of the store's file are used for, and what compacting would take and give back [S3]. */
export const storeSpace = z.object({
  /** Size of the file. */
  bytes: count,
  /** In use, what is still in the write-ahead log included: the sum of the next four. */
  usedBytes: count,
  /** JSON of the documents, overdue ones included. */
  documentBytes: count,
  /** Restorable copies of expired documents, and dropped collections [X4]. */
  retainedBytes: count,
  /** The change log [V3]. */
  logBytes: count,
  /** Keys, index entries, counts and history. */
  otherBytes: count,
  /** Compacting gives these back. */
  unusedBytes: count,
  /** Free bytes that compacting needs on the disk while it runs. */
  neededBytes: count,
  /** Free bytes on the store's disk. */
  freeBytes: count,
});
export type StoreSpace = z.infer<typeof storeSpace>;

export const live = {
  watch: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/live',
      tags: ['Live'],
      summary: 'State as it changes, as server-sent events',
    })
    .input(nothing.optional())
    .output(eventIterator(liveUpdate)),
};

export const store = {
  info: procedure({ permission: 'read', writes: false })
    .route({ method: 'GET', path: '/api/store', tags: ['Store'], summary: 'The open store' })
    .input(nothing.optional())
    .output(storeInfo),
  /** A believable session store whose documents expire over the next minutes, hours and days. */
  loadSampleData: procedure({ permission: 'configure', writes: true })
    .route({ method: 'POST', path: '/api/sample-data', tags: ['Store'], summary: 'Load the sample data' })
    .input(z.object({ documents: count.max(1_000_000).optional() }).optional())
    .output(z.object({ collection: collectionName, documents: count, indexes: count })),
  /** Online, consistent, verified after it is written [B1]. */
  backup: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/backup',
      tags: ['Store'],
      summary: 'Write a backup to a file of the machine that runs the store; a job [B1]',
    })
    .input(z.object({ file: z.string() }))
    .output(job),
  space: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/store/space',
      tags: ['Store'],
      summary: 'Bytes of the store’s file by their use, and space on its disk',
    })
    .input(nothing.optional())
    .output(storeSpace),
  /** Reads go on, writes wait. Throws DISK_FULL where there is no room for it [S3]. */
  compact: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/store/compact',
      tags: ['Store'],
      summary: 'Write the store’s file anew without unused space; a job [S3]',
    })
    .input(nothing.optional())
    .output(job),
  /** Fails with what it found where the file is not whole [S3]. */
  check: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'POST',
      path: '/api/store/check',
      tags: ['Store'],
      summary: 'Check the store’s file and count its documents again; a job [S3]',
    })
    .input(nothing.optional())
    .output(job),
};
