import { z } from 'zod';
import type { ExpiredEntry } from '../../../../../shared/contract/metrics.ts';
import { type Pass, pass, passEnding } from '../../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ExpiredQuery, HistoryQuery } from '../../backend.ts';
import type { ExpiredInterval } from '../tables/removals/expired-intervals.ts';
import { ACTIONS, causeOf, DELETED_SOURCE, RESTORED } from '../tables/removals/removals.ts';
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

type ExpiredRow = Omit<
  ExpiredEntry,
  'lagMs' | 'dueSinceAt' | 'index' | 'id' | 'action' | 'cause' | 'restorable' | 'isRestored'
> & {
  source: number;
  seq: number;
  index: string | null;
  action: number;
  collectionId: number;
  row: number;
  gone: 0 | 1;
  keepUntilAt: number;
  /** When the rule that acted took effect, or was last resumed before the removal, epoch ms; 0: unknown. */
  effectiveAt: number;
  /** Bytes of its copy; null if there is none, or none yet. */
  kept: number | null;
};

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

/** Returns expiries, newest first: the index that acted, the deadline, the lag, and until when each can be restored. */
export function readExpired(
  reader: ReadConnection,
  { collection, cause, before, limit }: ExpiredQuery,
  now: number,
) {
  const id = collection === undefined ? null : reader.collection(collection).id;
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
  if (!Number.isFinite(from)) {
    throw new SandglassError('BAD_REQUEST', '`before` takes the `next` of a page, unchanged.', {
      before,
    });
  }
  const listed = reader.db
    .prepare<[{ id: number | null; before: number; limit: number; deleted: number | null }], ExpiredRow>(
      `SELECT r.seq, r.id AS _id, c.name AS collection, i.name AS "index", r.deadline AS deadlineAt,
              r.removed_at AS removedAt, r.revision, r.position, r.pass, r.action, r.source, r.collection AS collectionId,
              r.row, r.gone, r.keep_until_at AS keepUntilAt, octet_length(k.body) AS kept,
              ${EFFECTIVE_AT} AS effectiveAt
       FROM removals AS r JOIN collections AS c ON c.id = r.collection LEFT JOIN ttl_indexes AS i ON i.id = r.source
            LEFT JOIN retained AS k ON k.seq = r.seq
       WHERE (@id IS NULL OR r.collection = @id) AND (@deleted IS NULL OR (r.source = ${DELETED_SOURCE}) = @deleted)
         AND r.seq < @before ORDER BY r.seq DESC LIMIT @limit`,
    )
    .all({ id, before: from, limit, deleted: cause === undefined ? null : Number(cause === 'deleted') });
  const rows =
    cause === 'deleted'
      ? listed
      : [...unlistedBefore(reader, id, { before: from, limit }), ...listed]
          .sort((a, b) => b.seq - a.seq)
          .slice(0, limit);
  const last = rows.at(-1);
  return {
    expired: rows.map(row => toEntry(row, restorableOf(reader, row, now))),
    next: last === undefined || rows.length < limit ? null : String(last.seq),
  };
}

type IntervalFacts = Pick<ExpiredRow, 'collection' | 'index' | 'effectiveAt'>;

/** Returns the latest expiries before a number that are not listed yet (tables/removals/expired-intervals.ts). */
function unlistedBefore(
  { db, tombstones, unlisted }: ReadConnection,
  collection: number | null,
  { before, limit }: { before: number; limit: number },
): ExpiredRow[] {
  if (tombstones.intervals.all.length === 0) return [];
  const factsOf = db.prepare<[number], IntervalFacts>(
    `SELECT c.name AS collection, i.name AS "index", ${EFFECTIVE_AT} AS effectiveAt
     FROM expired_intervals AS r JOIN collections AS c ON c.id = r.collection LEFT JOIN ttl_indexes AS i ON i.id = r.source
     WHERE r.first = ?`,
  );
  const known = new Map<number, IntervalFacts | null>();
  const isWanted = ({ first, collection: of }: ExpiredInterval) => {
    if (!known.has(first)) known.set(first, factsOf.get(first) ?? null);
    return (collection === null || of === collection) && known.get(first) !== null;
  };
  return unlisted
    .before(before, limit, isWanted)
    .flatMap(({ seq, interval, reference, row, id, keepUntilAt }) => {
      const facts = known.get(interval.first) ?? null;
      if (facts === null) return [];
      const { revision, removedAt, pass, source, addMs, first } = interval;
      return [
        {
          ...{
            seq,
            _id: id,
            deadlineAt: reference + addMs,
            removedAt,
            revision,
            position: seq - first,
            pass,
          },
          ...{
            action: 0,
            source,
            collectionId: interval.collection,
            row,
            gone: 1 as const,
            keepUntilAt,
            kept: null,
          },
          ...facts,
        },
      ];
    });
}

function toEntry(row: ExpiredRow, restorable: ExpiredEntry['restorable']): ExpiredEntry {
  const { _id, collection, deadlineAt, removedAt, revision, position, pass } = row;
  return {
    _id,
    collection,
    deadlineAt,
    removedAt,
    revision,
    position,
    pass,
    id: String(row.seq),
    action: ACTIONS[row.action] ?? 'delete',
    cause: causeOf(row.source),
    restorable,
    isRestored: row.keepUntilAt === RESTORED,
    index: row.index ?? EXPLICIT,
    dueSinceAt: Math.max(deadlineAt, row.effectiveAt),
    lagMs: Math.max(0, removedAt - deadlineAt),
  };
}

/** Returns its copy, or its dead row until that is swept [X4]. */
function restorableOf(
  reader: ReadConnection,
  { keepUntilAt, kept, seq, gone, collectionId, row }: ExpiredRow,
  now: number,
): ExpiredEntry['restorable'] {
  const removal = { seq, collection: collectionId, row, gone, keepUntilAt, isCopied: kept !== null };
  const from = restorableFrom(removal, reader.tombstones, now);
  if (from === null) return null;
  if (from === 'copy') return kept === null ? null : { until: keepUntilAt, bytes: kept };
  const bytes = reader.db
    .prepare<[number], number>(`SELECT octet_length(body) FROM documents_${collectionId} WHERE row = ?`)
    .pluck()
    .get(row);
  return bytes === undefined ? null : { until: keepUntilAt, bytes };
}
