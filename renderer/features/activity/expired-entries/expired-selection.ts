import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';

/** Chosen entries by their id, each as it was when chosen. */
export type Choice = ReadonlyMap<string, ExpiredEntry>;

export const NOTHING_CHOSEN: Choice = new Map();

/** As many as one call takes. */
const MOST_CHOSEN = 100_000;

export function isKept({ restorable }: ExpiredEntry, now: number): boolean {
  return restorable !== null && restorable.until > now;
}

export function toggled(choice: Choice, entry: ExpiredEntry): Choice {
  const next = new Map(choice);
  if (!next.delete(entry.id)) next.set(entry.id, entry);
  return next;
}

/** With those of `entries` that can be brought back, as far as there is room. */
export function withKept(choice: Choice, entries: Iterable<ExpiredEntry>, now: number): Choice {
  const next = new Map(choice);
  for (const entry of entries) if (next.size < MOST_CHOSEN && isKept(entry, now)) next.set(entry.id, entry);
  return next;
}

/** The rows from one to another, whichever comes first. */
export function between(
  rows: readonly ExpiredEntry[],
  from: string | null,
  to: ExpiredEntry,
): readonly ExpiredEntry[] {
  const end = rows.findIndex(({ id }) => id === to.id);
  const begin = rows.findIndex(({ id }) => id === from);
  if (begin === -1) return [to];
  return rows.slice(Math.min(begin, end), Math.max(begin, end) + 1);
}

/** The collections that are concerned, each once. */
export function collectionsOf(entries: Iterable<ExpiredEntry>): string[] {
  return [...new Set([...entries].map(({ collection }) => collection))].sort();
}
