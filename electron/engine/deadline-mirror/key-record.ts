import type { DocumentRecord, DocumentState, Explanation } from '../../../shared/contract/documents.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { formatInstantInFull } from '../../../shared/model/format.ts';
import { HOUR } from '../deadline-index/count-levels.ts';
import type { StoredKey } from './keys-table.ts';

/** Name of the only rule by which keys expire; takes the place of an index name of the embedded store. */
export const TTL = 'ttl';

/** Epoch ms; null: the key never expires. */
function deadlineOfKey({ reference }: Pick<StoredKey, 'reference'>): number | null {
  return reference < 0 ? null : reference;
}

function stateAt(deadlineAt: number | null, now: number): DocumentState {
  if (deadlineAt === null) return 'never';
  if (deadlineAt <= now) return 'overdue';
  return deadlineAt - now < HOUR ? 'soon' : 'live';
}

/** Returns a key as the contract shows it, without its value: the mirror has none. */
export function recordOf(key: StoredKey, now: number): DocumentRecord {
  const deadlineAt = deadlineOfKey(key);
  const state = stateAt(deadlineAt, now);
  const isOverdue = state === 'overdue';
  return {
    _id: key.id,
    document: { _id: key.id, type: key.type },
    updatedAt: key.updatedAt,
    deadlineAt,
    deadlineFrom: deadlineAt === null ? null : TTL,
    state,
    // For reads, the server treats the key as removed already.
    hidden: isOverdue,
    bytes: key.bytes ?? 0,
    ...(isOverdue && { waitsFor: 'reaper' as const }),
  };
}

/** Returns why a key expires when it does, or never [X1]. */
export function explainKey(key: StoredKey, now: number): Explanation {
  const { _id, state, deadlineAt, deadlineFrom } = recordOf(key, now);
  return {
    _id,
    state,
    deadlineAt,
    deadlineFrom,
    waitsFor: state === 'overdue' ? 'reaper' : null,
    sentence: sentenceOf(deadlineAt, now),
    candidates: [
      {
        from: TTL,
        deadlineAt,
        reason: deadlineAt === null ? 'no TTL' : null,
        message: null,
        paused: false,
      },
    ],
  };
}

function sentenceOf(deadlineAt: number | null, now: number): string {
  if (deadlineAt === null) return 'It never expires: it has no TTL.';
  const when = formatInstantInFull(deadlineAt, 'utc');
  return deadlineAt > now
    ? `The server removes it at ${when}, by the TTL that is set on it.`
    : `It was due at ${when} by the TTL that is set on it. The server hides it, and has not reported its removal yet.`;
}

export function noSuchCollection(collection: string): SandglassError {
  return new SandglassError('COLLECTION_NOT_FOUND', `There is no collection named ${collection}.`, {
    collection,
  });
}

export function noSuchKey(collection: string, id: string): SandglassError {
  return new SandglassError('DOCUMENT_NOT_FOUND', `${collection} has no key ${id}.`, { collection, _id: id });
}
