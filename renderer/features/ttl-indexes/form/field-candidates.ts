import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';

const OTHERS = 2;
const LONGEST = 7;

/** The candidates worth a row: those that hold dates, a few that do not, and the one that is chosen. */
export function shownCandidates(candidates: readonly FieldCandidate[], chosen: string): FieldCandidate[] {
  const dated = candidates.filter(({ dates }) => dates > 0).slice(0, LONGEST);
  const others = candidates
    .filter(({ dates }) => dates === 0)
    .slice(0, Math.max(0, Math.min(OTHERS, LONGEST - dated.length)));
  const shown = [...dated, ...others];
  const missing = candidates.find(
    ({ field }) => field === chosen && !shown.some(other => other.field === field),
  );
  return missing === undefined ? shown : [...shown, missing];
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  boolean: 'true or false',
};

/** `ISO 8601`, `milliseconds`; where there is no date, what there is: `text, no date`. */
export function heldInWords({
  dates,
  format,
  types,
}: Pick<FieldCandidate, 'dates' | 'format' | 'types'>): string {
  if (dates > 0) return format;
  return `${types.map(type => TYPE_WORDS[type] ?? type).join(' or ')}, no date`;
}

/** Of the documents that were looked at, those whose value reads as a date: one that does not never expires. */
export function datesInWords({ dates, present }: Pick<FieldCandidate, 'dates' | 'present'>): string {
  return `${formatCount(dates)} of the ${formatCount(present)} that have it read as a date`;
}
