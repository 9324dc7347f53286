/** Which documents a change of deadlines applies to, by their present deadline. The names are those of Redis. */
export const DEADLINE_CONDITIONS = ['NX', 'XX', 'GT', 'LT'] as const;
/**
 * `NX`: without a deadline. `XX`: with one. `GT`: the new deadline is later. `LT`: the new deadline is earlier. No
 * deadline is later than every other.
 */
export type DeadlineCondition = (typeof DEADLINE_CONDITIONS)[number];

/** Returns whether a change to the deadline `after` applies to a document with the deadline `before`; null: none. */
export function admits(condition: DeadlineCondition, before: number | null, after: number): boolean {
  switch (condition) {
    case 'NX':
      return before === null;
    case 'XX':
      return before !== null;
    case 'GT':
      return before !== null && after > before;
    case 'LT':
      return before === null || after < before;
  }
}
