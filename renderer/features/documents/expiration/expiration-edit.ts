import { t } from '@lingui/core/macro';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { admits, type DeadlineCondition } from '../../../../shared/model/deadline-condition.ts';
import { formatExactDuration } from '../../../../shared/model/duration.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { formatInstant } from '../../../i18n/format.ts';

/** A staged change of one document's explicit expiration [E1]. */
export type ExpirationEdit =
  | { kind: 'after'; seconds: number; only?: DeadlineCondition }
  | { kind: 'at'; at: number; only?: DeadlineCondition }
  | { kind: 'never' }
  | { kind: 'clear' };

/** Fields of the bulk call for this edit. */
export function editBody(
  edit: ExpirationEdit,
): { set: ExpirationSetting; only?: DeadlineCondition } | { clear: true } {
  switch (edit.kind) {
    case 'after':
      return { set: { after: edit.seconds }, ...(edit.only && { only: edit.only }) };
    case 'at':
      return { set: { at: edit.at }, ...(edit.only && { only: edit.only }) };
    case 'never':
      return { set: { never: true } };
    case 'clear':
      return { clear: true };
  }
}

/** Deadline if the edit is written now: an instant, `never`, or `index` if indexes decide again. */
export function editedDeadline(edit: ExpirationEdit, now: number): number | 'never' | 'index' {
  switch (edit.kind) {
    case 'after':
      return now + edit.seconds * 1000;
    case 'at':
      return edit.at;
    case 'never':
      return 'never';
    case 'clear':
      return 'index';
  }
}

/** Returns `after 30d`, `at 21 Dec 14:32`, `never`, `cleared`. */
export function formatEdit(edit: ExpirationEdit, now: number, zone: Zone): string {
  switch (edit.kind) {
    case 'after':
      return t`after ${formatExactDuration(edit.seconds)}`;
    case 'at':
      return t`at ${formatInstant(edit.at, now, zone)}`;
    case 'never':
      return t`never`;
    case 'clear':
      return t`cleared`;
  }
}

/** Returns a key that is equal for edits that one call can write. */
export function editKey(edit: ExpirationEdit): string {
  switch (edit.kind) {
    case 'after':
      return `after-${edit.seconds}-${edit.only ?? 'all'}`;
    case 'at':
      return `at-${edit.at}-${edit.only ?? 'all'}`;
    default:
      return edit.kind;
  }
}

/** Returns whether the edit leaves a document with this deadline unchanged; null: no deadline. */
export function leavesUnchanged(edit: ExpirationEdit, deadlineAt: number | null, now: number): boolean {
  if (!('only' in edit) || edit.only === undefined) return false;
  const after = editedDeadline(edit, now);
  return typeof after === 'number' && !admits(edit.only, deadlineAt, after);
}
