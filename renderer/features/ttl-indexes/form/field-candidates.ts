import { t } from '@lingui/core/macro';
import type { ExpressionCandidate, FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatAlternatives } from '../../../i18n/sentence.ts';
import { isDated } from '../draft/field-reading.ts';

/** The fields in a sample of the collection. */
export interface Candidates {
  sampled: number;
  fields: readonly FieldCandidate[];
  expressions: readonly ExpressionCandidate[];
}

const OTHERS = 2;
const LONGEST = 7;

/** Returns the fields to list: fields with dates, a few others, and the selected field. */
export function shownCandidates(candidates: readonly FieldCandidate[], chosen: string): FieldCandidate[] {
  const dated = candidates.filter(isDated).slice(0, LONGEST);
  const others = candidates
    .filter(candidate => !isDated(candidate))
    .slice(0, Math.max(0, Math.min(OTHERS, LONGEST - dated.length)));
  const shown = [...dated, ...others];
  const missing = candidates.find(
    ({ field }) => field === chosen && !shown.some(other => other.field === field),
  );
  return missing === undefined ? shown : [...shown, missing];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  text: t`text`,
  number: t`number`,
  object: t`object`,
  array: t`list`,
  boolean: t`true or false`,
};

const UNIT_NAMES: Readonly<Record<string, string>> = {
  seconds: t`seconds`,
  milliseconds: t`milliseconds`,
};

/**
 * Describes the format of a field: `ISO 8601`, `milliseconds`, `yyyy.MM.dd`; for a field without dates its content:
 * `text, no date`.
 */
export function formatContent({
  dates,
  format,
  types,
  offers: [offer],
}: Pick<FieldCandidate, 'dates' | 'format' | 'types' | 'offers'>): string {
  if (offer?.doubt === null) return formatAlternatives(offer.formats);
  if (dates > 0) return UNIT_NAMES[format] ?? format;
  if (offer !== undefined) return offer.doubt === 'order' ? t`date, order unclear` : t`date, short year`;
  const content = formatAlternatives(types.map(type => TYPE_NAMES[type] ?? type));
  return t`${content}, no date`;
}

/** Returns the share of sampled documents whose value is a date; the other documents never expire. */
export function formatDateShare({
  dates,
  present,
  offers: [offer],
}: Pick<FieldCandidate, 'dates' | 'present' | 'offers'>): string {
  if (offer !== undefined && dates < present)
    return t`Text like ${offer.example}: ${formatAlternatives(offer.formats)}`;
  return t`${formatCount(dates)} of the ${formatCount(present)} that have it read as a date`;
}
