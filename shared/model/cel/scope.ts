import type { CelFunction } from './functions.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind } from './values.ts';

/** The variables of one evaluation: those of the dialect in their order, then those that macros bind. */
export type Frame = unknown[];
/** Throws EvaluationProblem if the document has no value for the expression. */
export type Evaluate = (frame: Frame) => unknown;

export interface Scope {
  text: string;
  /** Names by their place in the frame; a later one hides an earlier one. */
  names: readonly string[];
  functions: Readonly<Record<string, CelFunction>>;
}

/** Returns the value of a condition. Throws EvaluationProblem if it is no boolean. */
export function condition(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new EvaluationProblem(`A condition is true or false, not ${aKind(value)}.`);
}
