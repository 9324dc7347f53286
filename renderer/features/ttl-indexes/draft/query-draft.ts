import { type IndexDraft, typedDuration } from './index-draft.ts';

/**
 * Input prefilled from the address: `field`, `unit`, and `expireAfter` in seconds or `expireAfterField`. Null if the
 * address has none of them.
 */
export function queryDraft(first: IndexDraft, query: URLSearchParams): IndexDraft | null {
  const field = query.get('field');
  if (field === null) return null;
  const unit = query.get('unit');
  const seconds = Number(query.get('expireAfter') ?? Number.NaN);
  const ttlField = query.get('expireAfterField');
  return {
    ...first,
    kind: 'field',
    field,
    ...((unit === 'seconds' || unit === 'milliseconds') && { unit }),
    ...(seconds >= 0 && { life: 'fixed' as const, expireAfter: typedDuration(seconds) }),
    ...(ttlField !== null && { life: 'own' as const, ttlField }),
  };
}
