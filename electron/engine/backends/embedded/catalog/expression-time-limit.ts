import { OutOfTime, withTimeLimit } from '../../../../../shared/model/cel/cost.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';

/**
 * Maximum time for which evaluating expressions may hold a thread, ms [D8]. Limits of steps and bytes bound one
 * evaluation; this bounds many of them in one call, and a slow machine. It ends the call; the documents stay unchanged.
 */
export const TIME_LIMITS = {
  /** One writing call: it is refused as a whole. */
  write: 2_000,
  /** One turn of a scan: the scan is cancelled. */
  scan: 1_000,
  /** One action at a deadline: the document is quarantined [A5]. */
  action: 1_000,
} as const;

/** Runs `work`. Throws EXPRESSION_TIMEOUT if its evaluations take longer than the limit. */
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
