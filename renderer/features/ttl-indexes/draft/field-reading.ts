import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import type { IndexDraft } from './index-draft.ts';

/** Whether the field's values are dates, or a format reads them without doubt. */
export function isDated({ dates, offers: [offer] }: FieldCandidate): boolean {
  return dates > 0 || offer?.doubt === null;
}

/**
 * Returns how the values of a candidate are read. Ambiguous formats are only used if a person chooses them [D3, D4].
 */
export function readingOf(
  candidate: FieldCandidate | undefined,
): Pick<IndexDraft, 'formats' | 'zone'> & Partial<Pick<IndexDraft, 'unit'>> {
  const [offer] = candidate?.offers ?? [];
  return {
    ...(candidate?.unit && { unit: candidate.unit }),
    formats: offer?.doubt === null ? offer.formats : [],
    zone: '',
  };
}
