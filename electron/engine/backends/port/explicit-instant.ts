import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { durationProblem, instantProblem } from '../../../../shared/model/explicit-bounds.ts';
import { type ExplicitAt, NEVER } from '../../expiry/deadline.ts';

/** When an explicit expiration is due. */
export interface ExplicitInstant {
  at: ExplicitAt;
  /** Duration as given, ms; null for an instant, never, or none. */
  afterMs: number | null;
}

/**
 * Reads when a requested expiration is due [E1]; null clears. Throws INVALID_EXPIRATION with the alternative to use.
 */
export function readExplicitInstant(setting: ExpirationSetting | null, now: number): ExplicitInstant {
  if (setting === null) return { at: null, afterMs: null };
  if ('never' in setting) return { at: NEVER, afterMs: null };
  return 'after' in setting ? fromDuration(setting.after, now) : fromInstant(setting.at, now);
}

function fromDuration(seconds: number, now: number): ExplicitInstant {
  if (seconds === 0)
    throw invalid('after: 0 would expire it at once. To remove it now, delete it.', { after: seconds });
  if (seconds === -1)
    throw invalid('after: -1 is not “never” here. Use {"never": true}, or clear the expiration.', {
      after: seconds,
    });
  checkDuration(seconds * 1000);
  const afterMs = Math.max(1, Math.round(seconds * 1000));
  return { at: now + afterMs, afterMs };
}

function fromInstant(instant: number, now: number): ExplicitInstant {
  if (instant === 0)
    throw invalid('at: 0 is 1970. To remove it now, delete it; to clear the expiration, use DELETE.', {
      at: instant,
    });
  if (instant === -1)
    throw invalid('at: -1 is not “never” here. Use {"never": true}, or clear the expiration.', {
      at: instant,
    });
  checkInstant(instant);
  if (instant <= now) {
    const hint =
      instant > 0 && instant * 1000 > now && instant < 1e11
        ? ' It looks like seconds: at is in milliseconds.'
        : '';
    throw invalid(`at lies in the past.${hint} To remove it now, delete it.`, { at: instant, now });
  }
  return { at: Math.round(instant), afterMs: null };
}

/** In ms. Throws INVALID_EXPIRATION. */
export function checkDuration(ms: number): void {
  const problem = durationProblem(ms);
  if (problem !== null) throw invalid(problem, { after: ms / 1000 });
}

/** In epoch ms. Throws INVALID_EXPIRATION. */
export function checkInstant(at: number): void {
  const problem = instantProblem(at);
  if (problem !== null) throw invalid(problem, { at });
}

function invalid(message: string, data: Record<string, unknown>): SandglassError {
  return new SandglassError('INVALID_EXPIRATION', message, data);
}
