import { z } from 'zod';
import { LONGEST_AFTER_MS } from '../model/explicit-bounds.ts';
import { idProblem, LARGEST_DOCUMENT_BYTES, LONGEST_ID_BYTES, LONGEST_NAME } from '../model/names.ts';
import { LAST_INSTANT } from '../model/reference-time.ts';
import { count, instant, nothing, procedure } from './base.ts';

/**
 * What a follower asks of its leader [V5]: a snapshot in pages, each true of one revision, and the log from the
 * first page's revision on. Entries are whole images, so replaying one twice, or over a page that has it, changes nothing.
 */

/** No text of a definition or a message is longer. */
const LONGEST_TEXT = 64 * 1024 * 1024;
/** No list in one revision is longer, and no page. */
const MOST_ITEMS = 1_000_000;
/** The furthest that a JavaScript date reaches from 1970, ms. */
const FURTHEST_MS = 8_640_000_000_000_000;

const moment = z.number().int().min(-FURTHEST_MS).max(FURTHEST_MS);
/** Rows and numbers of collections and indexes. */
const rowNumber = z.number().int().positive();
/** EXPLICIT_SOURCE is 0. */
const source = count;
const documentId = z.string().refine(id => idProblem(id) === null, 'is no _id');
/** What is stored may be of before a rule about names. A character is two units at most. */
const storedName = z
  .string()
  .min(1)
  .max(2 * LONGEST_NAME);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(MOST_ITEMS);

/** A document as it is stored; `body` is its JSON text, byte for byte. */
export const replicaDocument = z.object({
  collection: rowNumber,
  id: documentId,
  row: rowNumber,
  updatedAt: moment,
  /** −1: never. */
  explicitAt: z.int().min(-1).max(LAST_INSTANT).nullable(),
  /** In ms. */
  explicitAfter: z.number().positive().max(LONGEST_AFTER_MS).nullable(),
  explicitAction: z.string().max(LARGEST_DOCUMENT_BYTES).nullable(),
  body: z.string().max(LARGEST_DOCUMENT_BYTES),
  /** Indexes (`source`) that have given up on it [A5]: whether it is hidden depends on them. */
  quarantined: z
    .array(z.object({ source, reference: moment, since: moment, problem: z.string().max(LONGEST_TEXT) }))
    .max(1_000),
});
export type ReplicaDocument = z.infer<typeof replicaDocument>;

/** Every definition of the store as text that only a store reads (embedded/replica-catalog.ts). */
export const replicaCatalog = z.object({ version: count, text: z.string().max(LONGEST_TEXT) });
export type ReplicaCatalog = z.infer<typeof replicaCatalog>;

/** Every revision has one, so that a follower notices a missing one. */
export const replicaEntry = z.object({
  revision: count,
  at: moment,
  /**
   * Its changes in their order, as a watch tells them, so that events have the same ids everywhere [V3]. The one that
   * is the nth of kind `expire` is the nth of `expired`.
   */
  changes: list(
    z.object({
      collection: storedName,
      kind: z.enum(['insert', 'update', 'delete', 'expire', 'expiration', 'definition']),
      /** Empty where it was purged; of a definition the index's name. */
      id: z.string().max(LONGEST_ID_BYTES),
    }),
  ),
  /** Where a definition changed, the whole catalog as it was after this revision. */
  catalog: replicaCatalog.nullable(),
  /** Documents as they are after this revision, also where only their expiration or quarantine changed. */
  put: list(replicaDocument),
  /** Deleted by hand, and not there again after this revision. */
  removed: list(z.object({ collection: rowNumber, id: documentId })),
  /** Expired, as the leader's history has it. */
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
      /** The document is gone with it. */
      gone: z.boolean(),
    }),
  ),
});
export type ReplicaEntry = z.infer<typeof replicaEntry>;

/** In every answer: the leader's clock and revision, so that a follower judges by the leader's time. */
const heartbeat = { leaderNow: moment, revision: count };

/** The leader's latest purge [X4]: a follower that has come to `revision` erases its history up to there, and confirms `id`. */
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
export const logPage = z.object({ ...heartbeat, purge: purgeMark.nullable(), entries: list(replicaEntry) });

export const replication = {
  /**
   * From here on the log keeps images for this follower, until it is forgotten. Answers where to begin. Each side tells the
   * version of its reading rules and of this protocol (none: it is older than those versions); INCOMPATIBLE where they differ.
   */
  register: procedure({ permission: 'follow', writes: true })
    .input(z.object({ follower: z.string(), rules: count.optional(), protocol: count.optional() }))
    .output(registered),
  snapshot: procedure({ permission: 'follow', writes: true })
    .input(z.object({ follower: z.string(), after: z.string().nullable(), limit: count.default(500) }))
    .output(snapshotPage),
  /**
   * Waits up to `waitMs` for something after `after`. `purged` confirms that every purge up to this one is erased in the
   * follower's file [X4]. Throws REVISION_COMPACTED.
   */
  log: procedure({ permission: 'follow', writes: true })
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
  followers: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/followers',
      tags: ['Replication'],
      summary: 'Followers, and how far each is',
    })
    .input(nothing.optional())
    .output(z.array(z.object({ name: z.string(), revision: count, seenAt: instant, behind: count }))),
  forget: procedure({ permission: 'configure', writes: true })
    .route({
      method: 'DELETE',
      path: '/api/followers/{follower}',
      tags: ['Replication'],
      summary: 'Keep nothing more for a follower',
    })
    .input(z.object({ follower: z.string() }))
    .output(z.object({ forgotten: z.literal(true) })),
};
