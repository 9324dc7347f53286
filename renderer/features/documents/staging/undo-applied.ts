import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { type ExpirationEdit, editedDeadline } from '../expiration/expiration-edit.ts';
import type { Staged, StagedEdit } from './staged-edits.ts';

export interface UndoOfApplied {
  /** Edits that restore the former expirations. */
  edits: Staged;
  /** Number of edits that cannot be reverted, because the former deadline has passed. */
  lost: number;
}

/**
 * Returns the edits that revert edits written at `writtenAt`, if staged at `now`, epoch ms. Without TTL indexes every
 * former deadline is one that was set, by hand or by an application.
 */
export function undoOfApplied(
  written: Iterable<StagedEdit>,
  { writtenAt, now, hasIndexes }: { writtenAt: number; now: number; hasIndexes: boolean },
): UndoOfApplied {
  const edits = new Map<string, StagedEdit>();
  let lost = 0;
  for (const { before, edit } of written) {
    // The index would remove the document, or the former expiration has passed.
    if (before.deadlineAt !== null && before.deadlineAt <= now) lost += 1;
    else
      edits.set(before._id, {
        before: asWritten(before, edit, writtenAt),
        edit: formerEdit(before, hasIndexes),
      });
  }
  return { edits, lost };
}

function formerEdit({ deadlineFrom, deadlineAt }: DocumentRecord, hasIndexes: boolean): ExpirationEdit {
  if (!hasIndexes && deadlineAt !== null) return { kind: 'at', at: deadlineAt };
  if (deadlineFrom !== EXPLICIT) return { kind: 'clear' };
  return deadlineAt === null ? { kind: 'never' } : { kind: 'at', at: deadlineAt };
}

/** Returns the document after the edit. The deadline of a cleared one is not known here. */
function asWritten(before: DocumentRecord, edit: ExpirationEdit, writtenAt: number): DocumentRecord {
  const deadline = editedDeadline(edit, writtenAt);
  if (deadline === 'index') return { ...before, deadlineAt: null, deadlineFrom: null, state: 'never' };
  if (deadline === 'never') return { ...before, deadlineAt: null, deadlineFrom: EXPLICIT, state: 'pinned' };
  return { ...before, deadlineAt: deadline, deadlineFrom: EXPLICIT, state: 'live' };
}
