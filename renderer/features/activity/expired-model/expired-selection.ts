import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';

/** Most entries that one restore or purge names. */
export const MOST_SELECTED = 100_000;

/** Whether the entry can be restored at `now`, epoch ms. */
export function isRestorable({ restorable }: ExpiredEntry, now: number): boolean {
  return restorable !== null && restorable.until > now;
}

/** The entries' collections, each once, sorted. */
export function collectionsOf(entries: Iterable<ExpiredEntry>): string[] {
  return [...new Set([...entries].map(({ collection }) => collection))].sort();
}
