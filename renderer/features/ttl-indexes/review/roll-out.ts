import { t } from '@lingui/core/macro';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitProblem, typedNumber } from '../draft/limits-draft.ts';

/** Start of a change that makes many documents due: as defined, at a rate, or by observing. */
export interface RollOut {
  how: 'as defined' | 'rate' | 'observe';
  /** Removals per second, as typed. */
  rate: string;
}

/** Returns the definition as it is sent; null while the rate cannot be read. */
export function rolledOut(definition: ChosenDefinition, { how, rate }: RollOut): ChosenDefinition | null {
  switch (how) {
    case 'as defined':
      return definition;
    case 'observe':
      return { ...definition, schedule: { mode: 'observe' } };
    case 'rate':
      return rateProblem(rate) === null
        ? { ...definition, limits: { ...definition.limits, removalsPerSecond: typedNumber(rate) } }
        : null;
  }
}

/** Returns the problem in a rate; null: none. */
export function rateProblem(rate: string): string | null {
  if (rate.trim() === '') return t`Enter removals per second.`;
  return typedNumber(rate) === 0 ? t`0 means no limit: choose At once.` : limitProblem('rate', rate);
}

const STEPS = [1, 2, 5, 10];
const TAKES_S = 600;

/** Returns a round rate at which the documents are removed within ten minutes. */
export function proposedRate(dueAtOnce: number): number {
  const needed = Math.max(1, dueAtOnce / TAKES_S);
  const power = 10 ** Math.floor(Math.log10(needed));
  return (STEPS.find(step => step * power >= needed) ?? 10) * power;
}
