import { t } from '@lingui/core/macro';
import { parseTypedDuration } from '../../i18n/typed-duration.ts';

export const LEASE_PRESETS = ['1m', '15m', '1h', '1d', '7d'];

/** Reads the duration of a lease, which has whole seconds. `seconds` is null where there is a problem. */
export function readLeaseDuration(text: string): { seconds: number | null; problem: string | null } {
  const parsed = parseTypedDuration(text);
  if (!('seconds' in parsed)) return { seconds: null, problem: parsed.problem };
  if (parsed.seconds < 1) return { seconds: null, problem: t`At least 1 s.` };
  return { seconds: Math.ceil(parsed.seconds), problem: null };
}
