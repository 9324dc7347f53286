import { t } from '@lingui/core/macro';
import type { DeadlineCondition } from '../../../../shared/model/deadline-condition.ts';
import { parseTypedDuration } from '../../../i18n/typed-duration.ts';
import type { ExpirationEdit } from './expiration-edit.ts';

/** State of the form. Values of one kind are kept while another kind is selected. */
export interface ExpirationDraft {
  kind: ExpirationEdit['kind'];
  after: string;
  /** Null: incomplete. */
  at: number | null;
  /** Null: every document. */
  only: DeadlineCondition | null;
}

const HOUR = 3_600_000;

export function draftOf(now: number): ExpirationDraft {
  return { kind: 'after', after: '30d', at: Math.ceil((now + HOUR) / 60_000) * 60_000, only: null };
}

/** Returns the edit, or the problem to show [E1]. */
export function readDraft(
  draft: ExpirationDraft,
  now: number,
): { edit: ExpirationEdit } | { problem: string } {
  const only = draft.only === null ? {} : { only: draft.only };
  switch (draft.kind) {
    case 'after': {
      const parsed = parseTypedDuration(draft.after);
      if ('problem' in parsed) return parsed;
      if (parsed.seconds === 0) return { problem: t`0 s expires at once. Delete the documents instead.` };
      return { edit: { kind: 'after', seconds: parsed.seconds, ...only } };
    }
    case 'at':
      if (draft.at === null) return { problem: t`Enter a date and a time.` };
      if (draft.at <= now)
        return { problem: t`This time has passed. Choose a later one, or delete the documents.` };
      return { edit: { kind: 'at', at: draft.at, ...only } };
    case 'never':
    case 'clear':
      return { edit: { kind: draft.kind } };
  }
}
