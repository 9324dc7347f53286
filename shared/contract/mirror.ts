import { z } from 'zod';
import { procedure } from './procedure-builder.ts';
import { nothing } from './schemas/common-schemas.ts';

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

const mostKeys = z.number().int().min(1_000).max(1_000_000_000);

/** Settings for reading a remote store into its mirror, kept in the mirror's file. */
export const mirrorSettings = z.strictObject({
  /** Whether reading is paused; the engine's own expiry continues. */
  paused: z.boolean(),
  /** Most keys or, for etcd, leases that are read per second; null: limited by the server's latency only. */
  readsPerSecond: z.number().int().min(1).max(10_000_000).nullable(),
  /** Number of keys above which a sample of them is mirrored; null: the engine takes no sample. */
  mostKeys: mostKeys.nullable().default(20_000_000),
  /** Null: the engine has a fixed grouping. */
  grouping: keyGrouping.nullable(),
});
export type MirrorSettings = z.infer<typeof mirrorSettings>;

/** Absent: unchanged. */
const mirrorChanges = z.strictObject({
  paused: mirrorSettings.shape.paused.optional(),
  readsPerSecond: mirrorSettings.shape.readsPerSecond.optional(),
  mostKeys: mostKeys.optional(),
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
