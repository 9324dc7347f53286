import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';

const OTHERS = 2;
const LONGEST = 7;

/** Returns the fields to list: those that hold dates, a few others, and the selected one. */
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

/** `ISO 8601`, `milliseconds`; for a field without dates its content: `text, no date`. */
export function formatContent({
  dates,
  format,
  types,
}: Pick<FieldCandidate, 'dates' | 'format' | 'types'>): string {
  if (dates > 0) return format;
  return `${types.map(type => TYPE_WORDS[type] ?? type).join(' or ')}, no date`;
}

/** Returns the share of sampled documents whose value is a date: the others never expire. */
export function formatDateShare({ dates, present }: Pick<FieldCandidate, 'dates' | 'present'>): string {
  return `${formatCount(dates)} of the ${formatCount(present)} that have it read as a date`;
}
