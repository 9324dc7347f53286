import { t } from '@lingui/core/macro';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { formatExactDuration } from '../../../../shared/model/duration.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { formatInstant } from '../../../i18n/format.ts';

/** A staged change of one document's explicit expiration [E1]. */
export type ExpirationEdit =
  | { kind: 'after'; seconds: number }
  | { kind: 'at'; at: number }
  | { kind: 'never' }
  | { kind: 'clear' };

/** Fields of the bulk call for this edit. */
export function editBody(edit: ExpirationEdit): { set: ExpirationSetting } | { clear: true } {
  switch (edit.kind) {
    case 'after':
      return { set: { after: edit.seconds } };
    case 'at':
      return { set: { at: edit.at } };
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
  return edit.kind === 'after' ? `after-${edit.seconds}` : edit.kind === 'at' ? `at-${edit.at}` : edit.kind;
}
