import type { FieldCandidate } from '../../../shared/contract/ttl-indexes.ts';

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
