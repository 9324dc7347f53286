import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { type ExpirationEdit, editedDeadline } from '../expiration/expiration-edit.ts';
import type { Staged, StagedEdit } from './staged-edits.ts';

export interface UndoOfApplied {
  /** What puts back the expirations as they were. */
  edits: Staged;
  /** How many cannot be put back: what they had has passed, and they would be removed at once. */
  lost: number;
}

/** What takes back edits that were written at `writtenAt`, if it is staged at `now`. */
export function undoOfApplied(written: Iterable<StagedEdit>, writtenAt: number, now: number): UndoOfApplied {
  const edits = new Map<string, StagedEdit>();
  let lost = 0;
  for (const { before, edit } of written) {
    // Its index is about to remove it, or the moment set by hand is over.
    if (before.deadlineAt !== null && before.deadlineAt <= now) lost += 1;
    else edits.set(before._id, { before: asWritten(before, edit, writtenAt), edit: formerEdit(before) });
  }
  return { edits, lost };
}

function formerEdit({ deadlineFrom, deadlineAt }: DocumentRecord): ExpirationEdit {
  if (deadlineFrom !== EXPLICIT) return { kind: 'clear' };
  return deadlineAt === null ? { kind: 'never' } : { kind: 'at', at: deadlineAt };
}

/** The document as the edit left it. What a cleared one got from the indexes is not known here. */
function asWritten(before: DocumentRecord, edit: ExpirationEdit, writtenAt: number): DocumentRecord {
  const deadline = editedDeadline(edit, writtenAt);
  if (deadline === 'index') return { ...before, deadlineAt: null, deadlineFrom: null, state: 'never' };
  if (deadline === 'never') return { ...before, deadlineAt: null, deadlineFrom: EXPLICIT, state: 'pinned' };
  return { ...before, deadlineAt: deadline, deadlineFrom: EXPLICIT, state: 'live' };
}
