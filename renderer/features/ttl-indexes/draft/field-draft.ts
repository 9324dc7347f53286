import type { FieldCandidate, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { engineNow } from '../../../api.ts';
import { readingOf } from './field-reading.ts';
import type { IndexDraft } from './index-draft.ts';
import { firstDuration } from './read-draft.ts';

interface Form {
  draft: IndexDraft;
  candidates: { fields: readonly FieldCandidate[] } | null;
  before: TtlIndex | null;
}

/**
 * Selects a candidate field: sets how its values are read and, unless a duration was typed, the duration that suits its
 * dates.
 */
export function chosenField({ draft, candidates, before }: Form, field: string): Partial<IndexDraft> {
  const now = engineNow();
  const find = (path: string) => candidates?.fields.find(candidate => candidate.field === path);
  const found = find(field);
  if (found === undefined) {
    const isSuggested = draft.formats.join('\n') === readingOf(find(draft.field)).formats.join('\n');
    return { field, ...(isSuggested && { formats: [] }) };
  }
  const isUntouched = before === null && draft.expireAfter === firstDuration(find(draft.field), now);
  return {
    field,
    ...readingOf(found),
    ...(isUntouched && { expireAfter: firstDuration(found, now) }),
  };
}
