import { cliffs } from './cliffs.ts';
import { clockSkew } from './clock-skew.ts';
import { fallingBehind } from './falling-behind.ts';
import { type Facts, type Finder, type Finding, SEVERITIES } from './finding.ts';
import { growing } from './growing.ts';
import { nearLimit } from './near-limit.ts';
import { neverExpiring } from './never-expiring.ts';
import { neverFired } from './never-fired.ts';
import { clockJumped, held, pausedForLong } from './pauses-and-holds.ts';
import { policyDrift } from './policy-drift.ts';
import { quarantined } from './quarantined.ts';
import { wrongUnit } from './wrong-unit.ts';

/** Finders, in the order in which findings of equal severity are shown. */
const FINDERS: readonly Finder[] = [
  clockJumped,
  held,
  fallingBehind,
  quarantined,
  wrongUnit,
  pausedForLong,
  policyDrift,
  growing,
  neverExpiring,
  cliffs,
  neverFired,
  nearLimit,
  clockSkew,
];

/** Returns all findings, most urgent first; of equal severity in the order of FINDERS, then by weight. */
export function findingsOf(facts: Facts): Finding[] {
  const found = FINDERS.flatMap(find => [...find(facts)].sort((a, b) => b.weight - a.weight));
  return SEVERITIES.flatMap(severity => found.filter(finding => finding.severity === severity));
}

/** Returns the findings of one collection and of the whole store; null: all. */
export function findingsAbout(found: readonly Finding[], collection: string | null): readonly Finding[] {
  return collection === null
    ? found
    : found.filter(finding => finding.collection === null || finding.collection === collection);
}
