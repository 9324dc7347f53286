import { SandglassError } from '../errors.ts';
import type { NeverReason } from '../reference-time.ts';
import { spend } from './cost.ts';

/** Steps of making one and of catching it. */
const PROBLEM_STEPS = 100;

/**
 * Why an expression has no value for one document; `reason` is what it is counted under [X1]. Not an Error: a macro may
 * meet one for each item of a list, and an Error's stack takes four times as long as all the rest.
 */
export class EvaluationProblem {
  readonly message: string;
  readonly reason: NeverReason;

  constructor(message: string, reason: NeverReason = 'expression error') {
    spend(PROBLEM_STEPS);
    this.message = message;
    this.reason = reason;
  }
}

/** The error of a mistake in an expression: `offset` counts from 0, line and column in the error from 1 [D8]. */
export function mistakeIn(expression: string, offset: number, message: string): SandglassError {
  const before = expression.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const place = expression.includes('\n') ? `Line ${line}, column ${column}` : `Column ${column}`;
  return new SandglassError('INVALID_TTL_INDEX', `${place}: ${message}`, { expression, line, column });
}
