import { parseDuration } from '../../../../shared/model/duration.ts';
import type { ExpirationEdit } from './expiration-edit.ts';

/** The form as it is filled in. What was typed for one kind stays while another is looked at. */
export interface ExpirationDraft {
  kind: ExpirationEdit['kind'];
  after: string;
  /** Null while it is incomplete. */
  at: number | null;
}

const HOUR = 3_600_000;

export function draftOf(now: number): ExpirationDraft {
  return { kind: 'after', after: '30d', at: Math.ceil((now + HOUR) / 60_000) * 60_000 };
}

/** The edit, or what is wrong with it [E1]. */
export function readDraft(
  draft: ExpirationDraft,
  now: number,
): { edit: ExpirationEdit } | { problem: string } {
  switch (draft.kind) {
    case 'after': {
      const parsed = parseDuration(draft.after);
      if ('problem' in parsed) return parsed;
      if (parsed.seconds === 0) return { problem: 'After 0 s is now: delete the documents instead.' };
      return { edit: { kind: 'after', seconds: parsed.seconds } };
    }
    case 'at':
      if (draft.at === null) return { problem: 'A date and a time are needed.' };
      if (draft.at <= now)
        return { problem: 'This moment has passed: delete the documents instead, or choose a later one.' };
      return { edit: { kind: 'at', at: draft.at } };
    case 'never':
    case 'clear':
      return { edit: { kind: draft.kind } };
  }
}
