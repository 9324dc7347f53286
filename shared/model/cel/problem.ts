import { SandglassError } from '../errors.ts';
import type { NeverReason } from '../reference-time.ts';
import { spend } from './cost.ts';

/** Steps of creating and catching a problem. */
const PROBLEM_STEPS = 100;

/**
 * Reason why an expression has no value for one document; `reason` is the category in which it is counted [X1]. Not an
 * Error: a macro may throw one per item of a list, and the stack of an Error takes four times as long as all other
 * steps together.
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

/** Returns the error of an invalid expression: `offset` counts from 0, line and column in the error from 1 [D8]. */
export function mistakeIn(expression: string, offset: number, message: string): SandglassError {
  const before = expression.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const place = expression.includes('\n') ? `Line ${line}, column ${column}` : `Column ${column}`;
  return new SandglassError('INVALID_TTL_INDEX', `${place}: ${message}`, { expression, line, column });
}
