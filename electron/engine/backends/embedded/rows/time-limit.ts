import { OutOfTime, withTimeLimit } from '../../../../../shared/model/cel/cost.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';

/**
 * How long evaluating expressions may hold a thread, ms [D8]. Steps and bytes bound each evaluation; this bounds what a slow
 * machine makes of them, and what a call makes of many. It ends the call and decides nothing about a document.
 */
export const TIME_LIMITS = {
  /** One call that writes: it is refused, and nothing of it is written. */
  write: 2_000,
  /** A scan between two other calls: it is cancelled. */
  scan: 1_000,
  /** One action on expiry: its document is quarantined [A5]. */
  action: 1_000,
} as const;

/** Runs `work`; throws EXPRESSION_TIMEOUT where its evaluations do not end in time. */
export function inTime<Result>(
  clock: Pick<Clock, 'elapsed'>,
  limit: keyof typeof TIME_LIMITS,
  work: () => Result,
): Result {
  const startedAt = clock.elapsed();
  const mostMs = TIME_LIMITS[limit];
  try {
    return withTimeLimit(() => clock.elapsed() - startedAt > mostMs, work);
  } catch (error) {
    if (error instanceof OutOfTime) throw expressionTimeout(limit, mostMs);
    throw error;
  }
}

const SENTENCES = {
  write:
    'Nothing was written: the expressions of the TTL indexes took too long. Write fewer documents at a time, or make an expression do less.',
  scan: 'The scan was ended: its expression took too long. Make it do less.',
  action: 'The action took too long. Make its expression do less.',
} as const;

function expressionTimeout(limit: keyof typeof TIME_LIMITS, mostMs: number): SandglassError {
  return new SandglassError('EXPRESSION_TIMEOUT', SENTENCES[limit], { mostMs });
}
