import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import type { Limits } from '../../../../shared/model/ttl-index.ts';

/** Returns the time to remove what is due at once with these limits, ms; null: not known. */
export function drainWith({ dueAtOnce, drainMs }: Preview, { removalsPerSecond = 0 }: Limits): number | null {
  if (removalsPerSecond === 0) return drainMs;
  return Math.max(drainMs ?? 0, (dueAtOnce / removalsPerSecond) * 1000);
}
