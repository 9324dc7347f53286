import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../i18n/format.ts';
import {
  type ExpirationEdit,
  editedDeadline,
  editKey,
  leavesUnchanged,
} from '../expiration/expiration-edit.ts';

export interface StagedEdit {
  /** The document when the edit was staged. */
  before: DocumentRecord;
  edit: ExpirationEdit;
}

/** By `_id`. */
export type Staged = ReadonlyMap<string, StagedEdit>;

export const NOTHING_STAGED: Staged = new Map();

export function stage(staged: Staged, rows: Iterable<DocumentRecord>, edit: ExpirationEdit): Staged {
  const next = new Map(staged);
  for (const row of rows) next.set(row._id, { before: next.get(row._id)?.before ?? row, edit });
  return next;
}

export function unstage(staged: Staged, ids: Iterable<string>): Staged {
  const next = new Map(staged);
  for (const id of ids) next.delete(id);
  return next;
}

export interface EditGroup {
  edit: ExpirationEdit;
  edits: readonly StagedEdit[];
}

/** Groups equal edits, largest group first. */
export function groups(staged: Staged): EditGroup[] {
  const byKey = new Map<string, { edit: ExpirationEdit; edits: StagedEdit[] }>();
  for (const one of staged.values()) {
    const key = editKey(one.edit);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, { edit: one.edit, edits: [one] });
    else group.edits.push(one);
  }
  return [...byKey.values()].sort((a, b) => b.edits.length - a.edits.length);
}

export interface Effect {
  longer: number;
  shorter: number;
  same: number;
  /** Number of cleared expirations: indexes decide their deadlines, which only the engine evaluates. */
  unknown: number;
}

/** Counts documents that would expire later or sooner if written now. */
export function effectOf(edits: Iterable<StagedEdit>, now: number): Effect {
  const effect: Effect = { longer: 0, shorter: 0, same: 0, unknown: 0 };
  for (const { before, edit } of edits) {
    const after = editedDeadline(edit, now);
    if (leavesUnchanged(edit, before.deadlineAt, now)) effect.same += 1;
    else if (after === 'index') effect.unknown += 1;
    else {
      const was = before.deadlineAt ?? Number.POSITIVE_INFINITY;
      const will = after === 'never' ? Number.POSITIVE_INFINITY : after;
      if (will > was) effect.longer += 1;
      else if (will < was) effect.shorter += 1;
      else effect.same += 1;
    }
  }
  return effect;
}

/** Returns `400 will expire later, 12 sooner.` */
export function formatEffect({ longer, shorter, same, unknown }: Effect): string {
  const later = formatCount(longer);
  const sooner = formatCount(shorter);
  const parts = [
    longer > 0 && t`${later} will expire later`,
    shorter > 0 && (longer > 0 ? t`${sooner} sooner` : t`${sooner} will expire sooner`),
    same > 0 && t`${formatCount(same)} unchanged`,
    unknown > 0 && t`${formatCount(unknown)} will follow the TTL indexes again`,
  ].filter(part => part !== false);
  return `${parts.join(', ')}.`;
}
