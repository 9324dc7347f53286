import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { readingOf } from './field-reading.ts';
import { type IndexDraft, typedDuration } from './index-draft.ts';

/**
 * Reads input prefilled from the URL: `field`, `unit`, and `expireAfter` in seconds or `expireAfterField`. Text is read
 * by the formats detected in the field. Returns null if the URL has none of them.
 */
export function queryDraft(
  first: IndexDraft,
  query: URLSearchParams,
  candidates: readonly FieldCandidate[],
): IndexDraft | null {
  const field = query.get('field');
  if (field === null) return null;
  const unit = query.get('unit');
  const seconds = Number(query.get('expireAfter') ?? Number.NaN);
  const ttlField = query.get('expireAfterField');
  return {
    ...first,
    kind: 'field',
    field,
    ...readingOf(candidates.find(candidate => candidate.field === field)),
    ...((unit === 'seconds' || unit === 'milliseconds') && { unit }),
    ...(seconds >= 0 && { life: 'fixed' as const, expireAfter: typedDuration(seconds) }),
    ...(ttlField !== null && { life: 'own' as const, ttlField }),
  };
}
