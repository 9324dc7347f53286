import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { capabilities, remoteStore } from './capabilities.ts';
import { collectionSummary } from './collections.ts';
import { connection } from './connections.ts';
import { job } from './jobs.ts';
import { permission } from './permissions.ts';
import { procedure } from './procedure-builder.ts';
import { diskFull, reaperState } from './reaper.ts';
import { collectionName, count, instant, nothing } from './schemas/common-schemas.ts';

/** Changes since the previous update; at most ten updates a second. */
export const liveUpdate = z.object({
  now: instant,
  revision: count,
  reaper: reaperState,
  /** New or changed collections; all of them in the first update. */
  collections: z.array(collectionSummary),
  dropped: z.array(collectionName),
  jobs: z.array(job),
  /** The server of a remote connection and the state of its mirror; absent: the store is a file of Sandglass. */
  remote: remoteStore.optional(),
  /** The answer of `connections.list`: in the first update, and after each change of it. */
  connections: z.array(connection).optional(),
  first: z.boolean(),
});
export type LiveUpdate = z.infer<typeof liveUpdate>;

export const storeInfo = z.object({
  file: z.string(),
  name: z.string(),
  version: z.string(),
  /** The store on the disk: its file and its write-ahead log. */
  bytes: count,
  revision: count,
  now: instant,
  user: z.string(),
  /** Permission of the caller [P1]. */
  permission,
  /** `follower`: mirrors a leader and takes no writes [V5]. */
  role: z.enum(['leader', 'follower']),
  /**
   * State of a follower: its leader; since when it has been silent, if for longer than `syncTimeout`; why replication
   * cannot continue at the moment; and the last failed replay, after which the store was copied again (`at` by the
   * follower's clock).
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
  /** The id of the connection that answers. */
  connection: z.string(),
  /**
   * Whether no call writes and nothing is removed, whatever the caller's permission; documents past their deadline are
   * hidden all the same [P2].
   */
  readOnly: z.boolean(),
  /** Whether the caller may give paths of the machine; other callers name files of the host's folders [P1]. */
  namesPaths: z.boolean(),
  /** Set while the disk is full and writes are refused [S1]. */
  diskFull: diskFull.nullable(),
  /**
   * Set after the disk failed to store what was written: writes are refused until the store is copied into a new file.
   * `problem`: why the last attempt to copy it failed; null: the copy is being made [S5].
   */
  syncFailed: z.object({ since: instant, problem: z.string().nullable() }).nullable(),
  capabilities,
  /** The server of a remote connection; null: the store is a file of Sandglass. */
  remote: remoteStore.nullable(),
});
export type StoreInfo = z.infer<typeof storeInfo>;

/**
 * Size of the store on the disk, use of its pages, and the space that compacting needs and frees [S3]. The file has
 * `usedBytes` and `unusedBytes` once the write-ahead log is moved into it; until then pages may be in the log alone.
 */
export const storeSpace = z.object({
  /** Size of the file, without its write-ahead log. */
  bytes: count,
  /** Size of the write-ahead log beside it. */
  walBytes: count,
  /** The store on the disk: the sum of the two, as `bytes` of `GET /api/store`. */
  totalBytes: count,
  /** Pages in use, including those that are only in the write-ahead log: the sum of the next four. */
  usedBytes: count,
  /** JSON of the documents, overdue ones included. */
  documentBytes: count,
  /** Restorable copies of expired documents, and dropped collections [X4]. */
  retainedBytes: count,
  /** The change log [V3]. */
  logBytes: count,
  /** Keys, index entries, counts and history. */
  otherBytes: count,
  /** Bytes freed by compacting. */
  unusedBytes: count,
  /** Free bytes on the disk that compacting needs while it runs. */
  neededBytes: count,
  /** Free bytes on the store's disk. */
  freeBytes: count,
});
export type StoreSpace = z.infer<typeof storeSpace>;

export const live = {
  watch: procedure({ permission: 'read', writes: false, feature: null })
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
  info: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/store', tags: ['Store'], summary: 'The open store' })
    .input(nothing.optional())
    .output(storeInfo),
  /** A session store whose documents expire over the next minutes, hours and days. */
  loadSampleData: procedure({ permission: 'configure', writes: true, feature: 'insert' })
    .route({ method: 'POST', path: '/api/sample-data', tags: ['Store'], summary: 'Load the sample data' })
    .input(z.object({ documents: count.max(1_000_000).optional() }).optional())
    .output(z.object({ collection: collectionName, documents: count, indexes: count })),
  /** Writes a consistent backup while the store is in use, and verifies it afterwards [B1]. */
  backup: procedure({ permission: 'configure', writes: true, feature: 'file' })
    .route({
      method: 'POST',
      path: '/api/backup',
      tags: ['Store'],
      summary: 'Write a backup to a file of the machine that runs the store; a job [B1]',
    })
    .input(z.object({ file: z.string() }))
    .output(job),
  space: procedure({ permission: 'read', writes: false, feature: 'file' })
    .route({
      method: 'GET',
      path: '/api/store/space',
      tags: ['Store'],
      summary: 'Bytes of the store’s file by their use, and space on its disk',
    })
    .input(nothing.optional())
    .output(storeSpace),
  /** Reads continue, writes wait. Throws DISK_FULL if the disk has too little space [S3]. */
  compact: procedure({ permission: 'configure', writes: true, feature: 'file' })
    .route({
      method: 'POST',
      path: '/api/store/compact',
      tags: ['Store'],
      summary: 'Compact the store’s file; a job [S3]',
    })
    .input(nothing.optional())
    .output(job),
  /** The job fails with the first problem if the file is damaged [S3]. */
  check: procedure({ permission: 'configure', writes: true, feature: 'file' })
    .route({
      method: 'POST',
      path: '/api/store/check',
      tags: ['Store'],
      summary: 'Check the store’s file and recount its documents; a job [S3]',
    })
    .input(nothing.optional())
    .output(job),
  /**
   * The store must be empty. A caller from the network names a file in the folder of stores. The damaged file is not changed, and
   * must not be open. Documents that are due at once are held [R9]. Throws EXPECTATION_FAILED, INVALID_FILE.
   */
  recover: procedure({ permission: 'configure', writes: true, feature: 'file' })
    .route({
      method: 'POST',
      path: '/api/store/recovery',
      tags: ['Store'],
      summary: 'Save what can be read of a damaged store into this new one; a job [S3]',
    })
    .input(z.object({ file: z.string() }))
    .output(job),
};
