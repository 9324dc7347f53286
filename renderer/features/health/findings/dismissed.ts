import type { Finding } from './finding.ts';

/** What a finding weighed when it was dismissed, by its id. */
export type Dismissed = Readonly<Record<string, number>>;

/** Grown by half it is no longer what was dismissed. */
const WORSE = 1.5;

export function isDismissed({ id, weight }: Pick<Finding, 'id' | 'weight'>, dismissed: Dismissed): boolean {
  const then = dismissed[id];
  return then !== undefined && weight < Math.max(then * WORSE, then + 1);
}

export function dismiss(dismissed: Dismissed, { id, weight }: Pick<Finding, 'id' | 'weight'>): Dismissed {
  return { ...dismissed, [id]: weight };
}

/** What is kept of it: nothing of what is no longer found, so that it is told anew should it come back. */
export function stillFound(dismissed: Dismissed, found: readonly Pick<Finding, 'id'>[]): Dismissed {
  const ids = new Set(found.map(({ id }) => id));
  return Object.fromEntries(Object.entries(dismissed).filter(([id]) => ids.has(id)));
}
