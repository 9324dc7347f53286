import { z } from 'zod';
import { count, instant, nothing } from './common-schemas.ts';
import { procedure } from './procedure-builder.ts';

/** Settings of the store, with their defaults. Changes apply from the next batch on [R3]. */
export const SETTINGS = {
  /** Documents that one index may remove per second; 0: unlimited. */
  removalsPerSecond: z.number().min(0).max(10_000_000).default(0),
  /** Longest time that one batch holds the writer. */
  batchMs: z.number().min(0.5).max(1_000).default(8),
  /** Longest time of a batch while calls wait. */
  batchMsWhileCallsWait: z.number().min(0.5).max(1_000).default(1.5),
  /** Most documents in one batch; 0: limited by its time only. */
  batchSize: count.max(1_000_000).default(0),
  /**
   * Most removals in one pass of a collection, and in all passes that run at the same time; 0: no limit (ArangoDB's two
   * caps).
   */
  mostPerPass: count.default(0),
  mostPerPassInTotal: count.default(0),
  /** Time for which expired documents can be restored, s, and the most bytes kept for that [X4]. */
  retention: z.number().min(0).max(3_153_600_000).default(86_400),
  retentionBytes: count.default(1024 ** 3),
  /** The circuit breaker trips if both are exceeded: a share of the collection, and a number of documents [R8]. */
  breakerShare: z.number().min(0).max(1).default(0.5),
  breakerDocuments: count.default(10_000),
  /**
   * Bounds of a change without confirmation: a change that makes more documents of a collection due than both is
   * confirmed first [R8].
   */
  confirmShare: z.number().min(0).max(1).default(0.1),
  confirmDocuments: count.default(1_000),
  /** If a store was closed for longer than this, in days, the documents due meanwhile are held [R9]. */
  holdAfterDays: z.number().min(0).max(36_500).default(7),
  /** A jump of the clock by more than this, s, holds the reaper [R10]. */
  clockJump: z.number().min(1).max(31_536_000).default(3_600),
  /** Limits of the change log in seconds and bytes, whichever is reached first [V3]. */
  logSeconds: z.number().min(60).max(31_536_000).default(86_400),
  logBytes: count.min(1024 * 1024).default(256 * 1024 * 1024),
} as const;

export const settingsAnswer = z.object(SETTINGS);
export type Settings = z.infer<typeof settingsAnswer>;
export const DEFAULT_SETTINGS: Settings = settingsAnswer.parse({});

/** A setting to change. Absent: unchanged. Null: default. */
const changes = z.strictObject(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, schema]) => [name, schema.unwrap().nullable().optional()]),
  ) as {
    [Name in keyof typeof SETTINGS]: z.ZodOptional<
      z.ZodNullable<ReturnType<(typeof SETTINGS)[Name]['unwrap']>>
    >;
  },
);

export const settings = {
  get: procedure({ permission: 'read', writes: false, feature: null })
    .route({ method: 'GET', path: '/api/settings', tags: ['Settings'], summary: 'The store’s settings' })
    .input(nothing.optional())
    .output(settingsAnswer),
  update: procedure({ permission: 'configure', writes: true, feature: 'settings' })
    .route({
      method: 'PATCH',
      path: '/api/settings',
      tags: ['Settings'],
      summary: 'Change settings; null returns one to its default [R3]',
    })
    .input(changes)
    .output(settingsAnswer),
};

const keyText = z.string().min(1).max(512);

/** Division of the keys of a server into collections. */
export const keyGrouping = z.strictObject({
  /**
   * The part of a key before the first occurrence of this text names its collection; empty: keys have no prefix; null:
   * detected from a sample.
   */
  separator: z.string().max(8).nullable(),
  /** Collections by a pattern of Redis (`session:*:cart`); the first match wins over the prefix. */
  patterns: z.array(z.strictObject({ name: keyText, pattern: keyText })).max(100),
});
export type KeyGroupingSetting = z.infer<typeof keyGrouping>;

/** Settings for reading a remote store into its mirror, kept in the mirror's file. */
export const mirrorSettings = z.strictObject({
  /** Whether reading is paused; the engine's own expiry continues. */
  paused: z.boolean(),
  /** Most keys or, for etcd, leases that are read per second; null: limited by the server's latency only. */
  readsPerSecond: z.number().int().min(1).max(10_000_000).nullable(),
  /** Null: the engine has a fixed grouping. */
  grouping: keyGrouping.nullable(),
});
export type MirrorSettings = z.infer<typeof mirrorSettings>;

/** Absent: unchanged. */
const mirrorChanges = z.strictObject({
  paused: mirrorSettings.shape.paused.optional(),
  readsPerSecond: mirrorSettings.shape.readsPerSecond.optional(),
  grouping: keyGrouping.optional(),
});
export type MirrorSettingChanges = z.infer<typeof mirrorChanges>;

export const mirror = {
  settings: procedure({ permission: 'read', writes: false, feature: 'mirror' })
    .route({
      method: 'GET',
      path: '/api/mirror',
      tags: ['Mirror'],
      summary: 'How the deadlines of a remote store are read',
    })
    .input(nothing.optional())
    .output(mirrorSettings),
  /** Does not change the server, and is therefore allowed on a read-only connection. */
  change: procedure({ permission: 'configure', writes: false, feature: 'mirror' })
    .route({
      method: 'PATCH',
      path: '/api/mirror',
      tags: ['Mirror'],
      summary: 'Pause reading, limit its rate, or group keys in another way',
    })
    .input(mirrorChanges)
    .output(mirrorSettings),
  enableNotifications: procedure({ permission: 'configure', writes: true, feature: 'notifications' })
    .route({
      method: 'POST',
      path: '/api/mirror/notifications',
      tags: ['Mirror'],
      summary: 'Turn on the server’s notifications of changed keys, until it restarts',
    })
    .input(nothing.optional())
    .output(z.object({ flags: z.string() })),
};

/** A lease of etcd: all keys attached to it are deleted when it ends. */
export const lease = z.object({
  /** Hexadecimal, as etcdctl shows it. */
  id: z.string(),
  /** Duration that a keep-alive starts again, s. */
  grantedSeconds: count,
  /** Within a second. */
  deadlineAt: instant,
  /** Keys that are deleted with the lease, of all prefixes; the first 1,000. */
  keys: z.array(z.string()),
  keyCount: count,
});
export type LeaseRecord = z.infer<typeof lease>;

const leaseId = z.object({ id: z.string().regex(/^[0-9a-f]{1,16}$/, 'The id of a lease is hexadecimal.') });
/** The number of keys that the caller was shown; the call is refused if the lease has another number by now. */
const confirmedLease = leaseId.extend({ keyCount: count });

export const leases = {
  ofKey: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/collections/{collection}/documents/{id}/lease',
      tags: ['Leases'],
      summary: 'The lease of a key, and every key that is deleted with it; null: the key has none',
    })
    .input(z.object({ collection: z.string(), id: z.string() }))
    .output(lease.nullable()),
  get: procedure({ permission: 'read', writes: false, feature: 'leases' })
    .route({
      method: 'GET',
      path: '/api/leases/{id}',
      tags: ['Leases'],
      summary: 'A lease and every key that is deleted with it',
    })
    .input(leaseId)
    .output(lease),
  keepAlive: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/keep-alive',
      tags: ['Leases'],
      summary: 'Restart the duration of a lease once, for all of its keys',
    })
    .input(confirmedLease)
    .output(lease),
  revoke: procedure({ permission: 'write', writes: true, feature: 'leases' })
    .route({
      method: 'POST',
      path: '/api/leases/{id}/revoke',
      tags: ['Leases'],
      summary: 'End a lease now, which deletes all of its keys',
    })
    .input(confirmedLease)
    .output(z.object({ deleted: count })),
};
