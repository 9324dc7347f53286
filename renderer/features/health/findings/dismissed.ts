import type { Finding } from './finding.ts';

/** The weight of each finding when it was dismissed, by its id. */
export type Dismissed = Readonly<Record<string, number>>;

/** Factor by which the weight must grow for a dismissed finding to be shown again. */
const WORSE = 1.5;

export function isDismissed({ id, weight }: Pick<Finding, 'id' | 'weight'>, dismissed: Dismissed): boolean {
  const then = dismissed[id];
  return then !== undefined && weight < Math.max(then * WORSE, then + 1);
}

export function dismiss(dismissed: Dismissed, { id, weight }: Pick<Finding, 'id' | 'weight'>): Dismissed {
  return { ...dismissed, [id]: weight };
}

/** Returns the dismissals of findings that still exist: a finding that occurs again later is shown. */
export function stillFound(dismissed: Dismissed, found: readonly Pick<Finding, 'id'>[]): Dismissed {
  const ids = new Set(found.map(({ id }) => id));
  return Object.fromEntries(Object.entries(dismissed).filter(([id]) => ids.has(id)));
}
