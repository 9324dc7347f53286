import { z } from 'zod';
import { base, configure, count, follow, instant, nothing } from './base.ts';

/**
 * What a follower asks of its leader [V5]: a snapshot in pages, each true of one revision, and the log from the
 * first page's revision on. Entries are whole images, so replaying one twice, or over a page that has it, changes nothing.
 */

/** A document as it is stored; `body` is its JSON text, byte for byte. */
export const replicaDocument = z.object({
  collection: count,
  id: z.string(),
  row: count,
  updatedAt: instant,
  explicitAt: z.number().nullable(),
  explicitAfter: z.number().nullable(),
  explicitAction: z.string().nullable(),
  body: z.string(),
  /** Indexes (`source`) that have given up on it [A5]: whether it is hidden depends on them. */
  quarantined: z.array(
    z.object({ source: count, reference: z.number(), since: instant, problem: z.string() }),
  ),
});
export type ReplicaDocument = z.infer<typeof replicaDocument>;

/** Every definition of the store as text that only a store reads (embedded/replica-catalog.ts). */
export const replicaCatalog = z.object({ version: count, text: z.string() });
export type ReplicaCatalog = z.infer<typeof replicaCatalog>;

/** Every revision has one, so that a follower notices a missing one. */
export const replicaEntry = z.object({
  revision: count,
  at: instant,
  /**
   * Its changes in their order, as a watch tells them, so that events have the same ids everywhere [V3]. The one that
   * is the nth of kind `expire` is the nth of `expired`.
   */
  changes: z.array(
    z.object({
      collection: z.string(),
      kind: z.enum(['insert', 'update', 'delete', 'expire', 'expiration', 'definition']),
      id: z.string(),
    }),
  ),
  /** Where a definition changed, the whole catalog as it was after this revision. */
  catalog: replicaCatalog.nullable(),
  /** Documents as they are after this revision, also where only their expiration or quarantine changed. */
  put: z.array(replicaDocument),
  /** Deleted by hand, and not there again after this revision. */
  removed: z.array(z.object({ collection: count, id: z.string() })),
  /** Expired, as the leader's history has it. */
  expired: z.array(
    z.object({
      collection: count,
      id: z.string(),
      row: count,
      source: count,
      /** The index's name, or `explicit`. */
      index: z.string(),
      deadlineAt: instant,
      pass: count,
      action: z.enum(['delete', 'patch', 'replace', 'move']),
      /** The document is gone with it. */
      gone: z.boolean(),
    }),
  ),
});
export type ReplicaEntry = z.infer<typeof replicaEntry>;

/** In every answer: the leader's clock and revision, so that a follower judges by the leader's time. */
const heartbeat = { leaderNow: instant, revision: count };

export const replication = {
  /**
   * From here on the log keeps images for this follower, until it is forgotten. Answers where to begin. Each side tells the
   * version of its reading rules (none: it is older than those versions); INCOMPATIBLE where they differ.
   */
  register: follow
    .input(z.object({ follower: z.string(), rules: count.optional() }))
    .output(z.object({ ...heartbeat, storeId: z.string(), oldest: count, rules: count.optional() })),
  snapshot: follow
    .input(z.object({ follower: z.string(), after: z.string().nullable(), limit: count.default(500) }))
    .output(
      z.object({
        ...heartbeat,
        catalog: replicaCatalog.nullable(),
        documents: z.array(replicaDocument),
        next: z.string().nullable(),
      }),
    ),
  /** Waits up to `waitMs` for something after `after`. Throws REVISION_COMPACTED. */
  log: follow
    .input(
      z.object({
        follower: z.string(),
        after: count,
        limit: count.default(200),
        waitMs: count.max(30_000).default(0),
      }),
    )
    .output(z.object({ ...heartbeat, entries: z.array(replicaEntry) })),
  followers: base
    .route({
      method: 'GET',
      path: '/api/followers',
      tags: ['Replication'],
      summary: 'Followers, and how far each is',
    })
    .input(nothing.optional())
    .output(z.array(z.object({ name: z.string(), revision: count, seenAt: instant, behind: count }))),
  forget: configure
    .route({
      method: 'DELETE',
      path: '/api/followers/{follower}',
      tags: ['Replication'],
      summary: 'Keep nothing more for a follower',
    })
    .input(z.object({ follower: z.string() }))
    .output(z.object({ forgotten: z.literal(true) })),
};
