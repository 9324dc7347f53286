import { z } from 'zod';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { type Pass, pass, passEnding } from '../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import type { HistoryQuery } from '../backend.ts';
import type { Reader } from './reader.ts';
import { ACTIONS } from './removal-log.ts';

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

/** Passes, newest first [R7]. */
export function readPasses(
  reader: Reader,
  { collection, before, limit }: HistoryQuery & { before?: number | undefined },
) {
  const id = collection === undefined ? null : reader.collection(collection).id;
  const rows = reader.db
    .prepare<[{ id: number | null; before: number; limit: number }], PassRow>(
      `SELECT p.*, c.name FROM passes AS p JOIN collections AS c ON c.id = p.collection
       WHERE (@id IS NULL OR p.collection = @id) AND p.id < @before ORDER BY p.id DESC LIMIT @limit`,
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

type ExpiredRow = Omit<ExpiredEntry, 'lagMs' | 'index' | 'id' | 'action' | 'restorable'> & {
  seq: number;
  index: string | null;
  action: number;
};

/** What expired, newest first: which index acted, when it was due and how late it was. */
export function readExpired(
  reader: Reader,
  { collection, before, limit }: HistoryQuery & { before?: string | undefined },
) {
  const id = collection === undefined ? null : reader.collection(collection).id;
  const from = before === undefined ? Number.MAX_SAFE_INTEGER : Number(before);
  if (!Number.isFinite(from)) {
    throw new SandglassError('BAD_REQUEST', '`before` takes what a page gave as `next`, unchanged.', {
      before,
    });
  }
  const rows = reader.db
    .prepare<[{ id: number | null; before: number; limit: number }], ExpiredRow>(
      `SELECT r.seq, r.id AS _id, c.name AS collection, i.name AS "index", r.deadline AS deadlineAt,
              r.removed_at AS removedAt, r.revision, r.position, r.pass, r.action
       FROM removals AS r JOIN collections AS c ON c.id = r.collection LEFT JOIN ttl_indexes AS i ON i.id = r.source
       WHERE (@id IS NULL OR r.collection = @id) AND r.seq < @before ORDER BY r.seq DESC LIMIT @limit`,
    )
    .all({ id, before: from, limit });
  const last = rows.at(-1);
  return {
    expired: rows.map(({ seq, index, action, ...row }) => ({
      ...row,
      id: String(seq),
      action: ACTIONS[action] ?? 'delete',
      restorable: null,
      index: index ?? EXPLICIT,
      lagMs: Math.max(0, row.removedAt - row.deadlineAt),
    })),
    next: last === undefined || rows.length < limit ? null : String(last.seq),
  };
}
