import type { Settings } from '../../../../shared/contract/settings.ts';
import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitProblem, typedNumber } from '../draft/limits-draft.ts';
import { isLarge } from '../preview/preview-figures.ts';

/** How a change begins that makes a lot due at once: as it is defined, slowly, or by counting only. */
export interface RollOut {
  how: 'as defined' | 'rate' | 'observe';
  /** Removals a second, as typed. */
  rate: string;
}

type Breaker = Pick<Settings, 'breakerShare' | 'breakerDocuments'>;

/** Beyond both bounds the store holds it, unless somebody confirmed what they saw [R8]. */
export function isOverBreaker({ dueAtOnce, documents }: Preview, breaker: Breaker | undefined): boolean {
  return (
    breaker !== undefined &&
    dueAtOnce > breaker.breakerDocuments &&
    dueAtOnce > breaker.breakerShare * documents
  );
}

/** So much would leave at once that the way is asked, and the collection's name. */
export function asksHow(
  { schedule }: Pick<ChosenDefinition, 'schedule'>,
  preview: Preview,
  breaker: Breaker | undefined,
): boolean {
  return schedule.mode !== 'observe' && (isLarge(preview) || isOverBreaker(preview, breaker));
}

/** The definition as it is sent. Null while the rate cannot be read. */
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

/** What is wrong with a rate to begin with: none is no rate. */
export function rateProblem(rate: string): string | null {
  if (rate.trim() === '') return 'Type how many a second.';
  return typedNumber(rate) === 0 ? '0 is no limit: choose At once.' : limitProblem('rate', rate);
}

const STEPS = [1, 2, 5, 10];
const TAKES_S = 600;

/** A round rate at which they are gone in ten minutes or sooner. */
export function proposedRate(dueAtOnce: number): number {
  const needed = Math.max(1, dueAtOnce / TAKES_S);
  const power = 10 ** Math.floor(Math.log10(needed));
  return (STEPS.find(step => step * power >= needed) ?? 10) * power;
}
