import type { DocumentRecord, Explanation } from '../../../../../shared/contract/documents.ts';
import { formatInstantInFull } from '../../../../../shared/model/format.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { TableEntry } from '../catalog/table-entry.ts';
import { quoteTable } from '../connection/quoting.ts';
import type { Session } from '../connection/session.ts';
import { type CountedDeadlines, withPartitions } from '../governed/partitions/whole-partitions.ts';
import { hasKeySql, type RowKey } from '../rows/row-id.ts';
import type { GovernanceSnapshot } from './governance-snapshot.ts';

/** Explains the deadline of a row: what each TTL index of its table gives it [X1]. */
export async function explainRow(
  session: Session,
  { indexes }: GovernanceSnapshot,
  entry: TableEntry,
  { record, key }: { record: DocumentRecord; key: RowKey },
): Promise<Explanation> {
  const { _id, state, deadlineAt, deadlineFrom, waitsFor } = record;
  const candidates: Explanation['candidates'] = [];
  for (const { index } of indexes.get(entry.collection) ?? []) {
    const { definition, paused } = index.definition;
    const found =
      index.deadlines === null
        ? { at: null, reason: 'expression error' }
        : await deadlineOf(session, entry, withPartitions(index.deadlines, index.partitions), key);
    candidates.push({
      from: definition.name,
      deadlineAt: found.at,
      reason: found.at === null ? found.reason : null,
      message: null,
      paused: paused !== null,
    });
  }
  const sentence = sentenceOf(record, candidates.length > 0);
  return { _id, state, deadlineAt, deadlineFrom, waitsFor: waitsFor ?? null, sentence, candidates };
}

async function deadlineOf(
  session: Session,
  entry: TableEntry,
  deadlines: CountedDeadlines,
  key: RowKey,
): Promise<{ at: number | null; reason: string }> {
  const { rows } = await session.query<{ at: number | null; reason: string }>(
    `SELECT extract(epoch FROM ${deadlines.deadline})::float8 * 1000 AS at, ${deadlines.reason} AS reason
      FROM ${quoteTable(entry.name)} AS t WHERE ${hasKeySql(entry, 't', 1)}`,
    [...key],
  );
  return rows[0] ?? { at: null, reason: 'missing field' };
}

function sentenceOf({ deadlineAt, deadlineFrom, state }: DocumentRecord, hasIndexes: boolean): string {
  if (deadlineAt === null) {
    if (deadlineFrom === EXPLICIT) return 'It never expires: it is pinned.';
    return hasIndexes
      ? 'It never expires: no TTL index of its table gives it a deadline.'
      : 'It never expires: its table has no TTL index.';
  }
  const at = formatInstantInFull(deadlineAt, 'utc');
  const from = deadlineFrom === EXPLICIT ? 'its own expiration' : `the TTL index ${deadlineFrom}`;
  if (state === 'overdue') return `It was due at ${at} by ${from}, and is being removed.`;
  if (state === 'paused') return `It was due at ${at} by ${from}, which is paused.`;
  return `It expires at ${at} by ${from}.`;
}
