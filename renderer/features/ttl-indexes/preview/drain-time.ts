import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import type { Limits } from '../../../../shared/model/ttl-index.ts';

/** Returns how long it takes with these limits to remove what is due at once, ms; null where that is not known. */
export function drainWith({ dueAtOnce, drainMs }: Preview, { removalsPerSecond = 0 }: Limits): number | null {
  if (removalsPerSecond === 0) return drainMs;
  return Math.max(drainMs ?? 0, (dueAtOnce / removalsPerSecond) * 1000);
}
