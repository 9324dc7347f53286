import { z } from 'zod';
import type { ExpiredEntry } from '../../../../../shared/contract/metrics.ts';
import { type Pass, pass, passEnding } from '../../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ExpiredQuery, HistoryQuery } from '../../backend.ts';
import { ACTIONS, causeOf, RESTORED, type Removal } from '../tables/removals/removal.ts';
import { restorableFrom } from '../tables/removals/restorable-from.ts';
import type { ReadConnection } from './read-connection.ts';

interface PassRow {
  id: number;
  name: string;
  started_at: number;
  ended_at: number;
  cutoff: number;
  trigger: string;
  removed: number;
  changed: number;
  quarantined: number;
  by_source: string;
  batches: number;
  longest_ms: number;
  ending: string;
  error: string | null;
}

/** Returns passes, newest first [R7]. */
export function readPasses(
  reader: ReadConnection,
  { collection, before, limit }: HistoryQuery & { before?: number | undefined },
) {
  const id = collection === undefined ? null : reader.collection(collection).id;
  const rows = reader.db
    .prepare<[{ id: number | null; before: number; limit: number }], PassRow>(
      // Uses the collection's own index: otherwise a quiet collection would cost a scan of all passes.
      `SELECT p.*, c.name FROM passes AS p JOIN collections AS c ON c.id = p.collection
       WHERE ${id === null ? '@id IS NULL' : 'p.collection = @id'} AND p.id < @before ORDER BY p.id DESC LIMIT @limit`,
    )
    .all({ id, before: before ?? Number.MAX_SAFE_INTEGER, limit });
  const passes = rows.map(toPass);
  return { passes, next: passes.length < limit ? null : (passes.at(-1)?.id ?? null) };
}

function toPass(row: PassRow): Pass {
  return {
    id: row.id,
    collection: row.name,
    trigger: pass.shape.trigger.parse(row.trigger),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    cutoff: row.cutoff,
    removed: row.removed,
    changed: row.changed,
    quarantined: row.quarantined,
    byIndex: z.record(z.string(), z.number()).parse(JSON.parse(row.by_source)),
    batches: row.batches,
    longestBatchMs: row.longest_ms,
    ending: passEnding.parse(row.ending),
    error: row.error,
  };
}

/** The names of a removal's collection and index, and when its rule took effect. */
interface Facts {
  collection: string;
  index: string | null;
  /** When the rule that acted took effect, or was last resumed before the removal, epoch ms; 0: unknown. */
  effectiveAt: number;
}

/**
 * Lag is not counted from before a rule took effect [M1]. Of an index that was changed since, from its change before
 * the removal.
 */
const EFFECTIVE_AT = `CASE
  WHEN i.id IS NULL THEN iif(c.resumed_at <= r.removed_at, c.resumed_at, 0)
  WHEN i.effective_at <= r.removed_at THEN i.effective_at
  ELSE ifnull((SELECT h.at FROM policy_history AS h
               WHERE h.collection = r.collection AND h.name = i.name AND h.at <= r.removed_at ORDER BY h.id DESC LIMIT 1), 0)
END`;

/**
 * Returns expiries, newest first: the index that acted, the deadline, the lag, and until when each can be restored. Also
 * fewer than `limit` with `next`, after a few milliseconds in which too few matched or `before` was not reached.
 */
export function readExpired(
  reader: ReadConnection,
  { collection, cause, before, limit }: ExpiredQuery,
  now: number,
): { expired: ExpiredEntry[]; next: string | null } {
  const id = collection === undefined ? undefined : reader.collection(collection).id;
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
  if (!Number.isSafeInteger(from)) {
    throw new SandglassError('BAD_REQUEST', '`before` takes the `next` of a page, unchanged.', {
      before,
    });
  }
  if (!reader.removals.approach(from)) return { expired: [], next: String(from) };
  const filter = { collection: id, cause, withoutDropped: true };
  const { removals, next } = reader.removals.before(from, limit, filter);
  const copies = reader.copies.bytesOf(removals.map(({ seq }) => seq));
  const factsOf = readFacts(reader);
  return {
    expired: removals.map(removal => {
      const kept = copies.get(removal.seq) ?? null;
      return toEntry(removal, factsOf(removal), restorableOf(reader, { ...removal, kept }, now));
    }),
    next: next === null ? null : String(next),
  };
}

/** Returns a function that reads the facts of removals, once for all that have the same. */
function readFacts({ db }: ReadConnection): (removal: Removal) => Facts {
  const statement = db.prepare<[Pick<Removal, 'collection' | 'source' | 'removedAt'>], Facts>(
    `SELECT c.name AS collection, i.name AS "index", ${EFFECTIVE_AT} AS effectiveAt
     FROM (SELECT @collection AS collection, @source AS source, @removedAt AS removed_at) AS r
          JOIN collections AS c ON c.id = r.collection LEFT JOIN ttl_indexes AS i ON i.id = r.source`,
  );
  const known = new Map<string, Facts>();
  return ({ collection, source, removedAt }) => {
    const key = `${collection} ${source} ${removedAt}`;
    const facts = known.get(key) ?? statement.get({ collection, source, removedAt });
    if (facts === undefined) throw new RangeError(`there is no collection with the number ${collection}`);
    known.set(key, facts);
    return facts;
  };
}

function toEntry(
  { seq, id, deadlineAt, removedAt, revision, position, pass, action, source, keepUntilAt }: Removal,
  { collection, index, effectiveAt }: Facts,
  restorable: ExpiredEntry['restorable'],
): ExpiredEntry {
  return {
    _id: id,
    collection,
    deadlineAt,
    removedAt,
    revision,
    position,
    pass,
    id: String(seq),
    action: ACTIONS[action] ?? 'delete',
    cause: causeOf(source),
    restorable,
    isRestored: keepUntilAt === RESTORED,
    index: index ?? EXPLICIT,
    dueSinceAt: Math.max(deadlineAt, effectiveAt),
    lagMs: Math.max(0, removedAt - deadlineAt),
  };
}

/** Returns its copy, or its dead row until that is swept [X4]. */
function restorableOf(
  reader: ReadConnection,
  removal: Removal & { kept: number | null },
  now: number,
): ExpiredEntry['restorable'] {
  const { kept, keepUntilAt, collection, row } = removal;
  const from = restorableFrom({ ...removal, isCopied: kept !== null }, reader.tombstones, now);
  if (from === null) return null;
  if (from === 'copy') return kept === null ? null : { until: keepUntilAt, bytes: kept };
  const bytes = reader.db
    .prepare<[number], number>(`SELECT octet_length(body) FROM documents_${collection} WHERE row = ?`)
    .pluck()
    .get(row);
  return bytes === undefined ? null : { until: keepUntilAt, bytes };
}
