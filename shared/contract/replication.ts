import { z } from 'zod';
import { LONGEST_AFTER_MS } from '../model/explicit-bounds.ts';
import { idProblem, LARGEST_DOCUMENT_BYTES, LONGEST_ID_BYTES, LONGEST_NAME } from '../model/names.ts';
import { LAST_INSTANT } from '../model/reference-time.ts';
import { procedure } from './procedure-builder.ts';
import { count, instant, nothing } from './schemas/common-schemas.ts';

/**
 * Replication [V5]: a follower reads a snapshot in pages, each consistent at one revision, and then the log from the
 * revision of the first page on. Entries are complete images: replaying one twice, or over a page that includes it,
 * changes nothing.
 */

/** Longest text of a definition or a message, characters. */
const LONGEST_TEXT = 64 * 1024 * 1024;
/** Most items of a list in one revision or page. */
const MOST_ITEMS = 1_000_000;
/** Most documents of an interval: numbers of expiries stay exact. */
const MOST_IN_INTERVAL = 1_000_000_000_000;
/** Largest epoch ms of a JavaScript date; the smallest is its negative. */
const FURTHEST_MS = 8_640_000_000_000_000;

const moment = z.number().int().min(-FURTHEST_MS).max(FURTHEST_MS);
/** Ids of rows, collections and indexes. */
const rowNumber = z.number().int().positive();
/** Id of an index; EXPLICIT_SOURCE is 0. */
const source = count;
const documentId = z.string().refine(id => idProblem(id) === null, 'is no _id');
/** Stored names may be older than a rule about names. A character is at most two UTF-16 code units. */
const storedName = z
  .string()
  .min(1)
  .max(2 * LONGEST_NAME);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MOST_ITEMS);

/** A stored document; `body` is its JSON text, byte for byte. */
export const replicaDocument = z.object({
  collection: rowNumber,
  id: documentId,
  row: rowNumber,
  updatedAt: moment,
  /** −1: never expires. */
  explicitAt: z.int().min(-1).max(LAST_INSTANT).nullable(),
  /** Duration, ms. */
  explicitAfter: z.number().positive().max(LONGEST_AFTER_MS).nullable(),
  explicitAction: z.string().max(LARGEST_DOCUMENT_BYTES).nullable(),
  body: z.string().max(LARGEST_DOCUMENT_BYTES),
  /** Indexes (`source`) that quarantined it [A5]; they decide whether it is hidden. */
  quarantined: z
    .array(z.object({ source, reference: moment, since: moment, problem: z.string().max(LONGEST_TEXT) }))
    .max(1_000),
});
export type ReplicaDocument = z.infer<typeof replicaDocument>;

/** Every definition of the store, in a text that only a store reads (catalog-snapshot.ts). */
export const replicaCatalog = z.object({ version: count, text: z.string().max(LONGEST_TEXT) });
export type ReplicaCatalog = z.infer<typeof replicaCatalog>;

/**
 * Documents that expired at once, however many: all that lived with a reference time of an index, or an explicit expiration, up to `through`. A
 * follower removes them from its own tables, after it has compared count and checksum (interval-checksum.ts).
 */
export const replicaInterval = z.object({
  collection: rowNumber,
  /** `ttl_indexes.id`; 0: explicit expirations. */
  source,
  through: z.int().min(0).max(FURTHEST_MS),
  documents: z.int().min(1).max(MOST_IN_INTERVAL),
  /** SHA-256 in hex. */
  checksum: z.string().regex(/^[0-9a-f]{64}$/),
  pass: count,
});
export type ReplicaInterval = z.infer<typeof replicaInterval>;

/** One revision of the log. Every revision has an entry, so that a follower detects a missing one. */
const revisionEntry = z.object({
  revision: count,
  at: moment,
  /**
   * The changes of the revision in order, so that events have the same ids on every follower [V3]. The nth change of
   * kind `expire` is the nth of `expired`.
   */
  changes: list(
    z.object({
      collection: storedName,
      kind: z.enum(['insert', 'update', 'delete', 'expire', 'expiration', 'definition']),
      /** Empty if the document was purged; for a definition, the index's name. */
      id: z.string().max(LONGEST_ID_BYTES),
    }),
  ),
  /** The whole catalog after this revision, if a definition changed. */
  catalog: replicaCatalog.nullable(),
  /** Documents after this revision, including those with only an expiration or quarantine changed. */
  put: list(replicaDocument),
  /** Documents deleted by hand, and absent after this revision. */
  removed: list(z.object({ collection: rowNumber, id: documentId })),
  /** Documents that expired at once; then there is nothing else in this revision, and no list of its changes. */
  interval: replicaInterval.nullable(),
  /** Documents that expired in this revision one by one. */
  expired: list(
    z.object({
      collection: rowNumber,
      id: documentId,
      row: rowNumber,
      source,
      /** The index's name, or `explicit`. */
      index: storedName,
      deadlineAt: moment,
      pass: count,
      action: z.enum(['delete', 'patch', 'replace', 'move']),
      /** The document was removed. */
      gone: z.boolean(),
    }),
  ),
});
export const replicaEntry = revisionEntry.refine(
  ({ interval, changes, catalog, put, removed, expired }) =>
    interval === null ||
    (catalog === null && [changes, put, removed, expired].every(({ length }) => length === 0)),
  'an interval is not alone in its revision',
);
export type ReplicaEntry = z.infer<typeof replicaEntry>;

/** Part of every answer: the leader's clock and revision. A follower evaluates deadlines by the leader's time. */
const heartbeat = { leaderNow: moment, revision: count };

/**
 * The leader's latest purge, complete or not [X4]. A follower that has reached `revision` erases its history up to that
 * revision and confirms `id`.
 */
export const purgeMark = z.object({ id: rowNumber, revision: count });
export type PurgeMark = z.infer<typeof purgeMark>;

export const registered = z.object({
  ...heartbeat,
  storeId: z.string().min(1).max(100),
  oldest: count,
  rules: count.optional(),
  protocol: count.optional(),
  purge: purgeMark.nullable(),
});
export const snapshotPage = z.object({
  ...heartbeat,
  catalog: replicaCatalog.nullable(),
  documents: list(replicaDocument),
  next: z.string().max(100).nullable(),
});
/** The last tick of an index with a schedule [R1], from which a follower computes the next action. */
const replicaTick = z.object({
  source: rowNumber,
  since: moment,
  at: moment,
  state: z.enum(['open', 'capped', 'closed']),
});
export type ReplicaTick = z.infer<typeof replicaTick>;

export const logPage = z.object({
  ...heartbeat,
  purge: purgeMark.nullable(),
  /** Last ticks of every index with a schedule, as of the heartbeat; an earlier release sends none. */
  ticks: list(replicaTick).default([]),
  entries: list(replicaEntry),
});

export const replication = {
  /**
   * Registers a follower: until it is removed, the log keeps images for it. Returns the position to begin at. Both
   * sides send the versions of their reading rules and of this protocol (absent: older than these versions). Throws
   * INCOMPATIBLE if they differ.
   */
  register: procedure({ permission: 'follow', writes: true, feature: 'replication' })
    .input(z.object({ follower: z.string(), rules: count.optional(), protocol: count.optional() }))
    .output(registered),
  snapshot: procedure({ permission: 'follow', writes: true, feature: 'replication' })
    .input(z.object({ follower: z.string(), after: z.string().nullable(), limit: count.default(500) }))
    .output(snapshotPage),
  /**
   * Waits up to `waitMs` for revisions after `after`. `purged` confirms that every purge up to this id is erased in
   * the follower's file [X4]. Throws REVISION_COMPACTED.
   */
  log: procedure({ permission: 'follow', writes: true, feature: 'replication' })
    .input(
      z.object({
        follower: z.string(),
        after: count,
        purged: count.default(0),
        limit: count.default(200),
        waitMs: count.max(30_000).default(0),
      }),
    )
    .output(logPage),
  followers: procedure({ permission: 'read', writes: false, feature: 'replication' })
    .route({
      method: 'GET',
      path: '/api/followers',
      tags: ['Replication'],
      summary: 'Followers and their progress',
    })
    .input(nothing.optional())
    .output(z.array(z.object({ name: z.string(), revision: count, seenAt: instant, behind: count }))),
  forget: procedure({ permission: 'configure', writes: true, feature: 'replication' })
    .route({
      method: 'DELETE',
      path: '/api/followers/{follower}',
      tags: ['Replication'],
      summary: 'Forget a follower',
    })
    .input(z.object({ follower: z.string() }))
    .output(z.object({ forgotten: z.literal(true) })),
};
