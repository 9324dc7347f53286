import { formatLongDuration } from './duration.ts';
import { formatCount } from './format.ts';

/**
 * Cause of a hold [R8, R9, R10]. `definition`, `bulk change`, `end of hold`: the circuit breaker. `restored backup`,
 * `restored collection`, `import`, `long closed`: data whose deadlines had passed when it arrived. `clock forward`,
 * `clock backward`: the clock jumped.
 */
export const HOLD_CAUSES = [
  'definition',
  'bulk change',
  'end of hold',
  'restored backup',
  'restored collection',
  'import',
  'long closed',
  'clock forward',
  'clock backward',
] as const;

export interface HoldFacts {
  readonly cause: (typeof HOLD_CAUSES)[number];
  /** The index whose definition waits; null: no definition waits. */
  readonly index: string | null;
  /** Number of documents that were due when it began, and number of all. */
  readonly due: number;
  readonly documents: number;
  /** Time for which the store was closed, or by which the clock jumped, ms; null: neither, or not recorded. */
  readonly durationMs: number | null;
}

const MINUTE_MS = 60_000;

/** Describes a hold in one sentence: the event, the number of due documents, and that they wait for confirmation. */
export function formatHold({ cause, index, due, documents, durationMs }: HoldFacts): string {
  const share = `${formatCount(due)} of ${formatCount(documents)} ${documents === 1 ? 'document' : 'documents'}`;
  const are = due === 1 ? 'is' : 'are';
  switch (cause) {
    case 'definition':
      return `${index ?? 'An index'} would make ${share} due at once. It has no effect until this is confirmed.`;
    case 'bulk change':
      return `A bulk change of expirations made ${share} due at once. Nothing is removed until this is confirmed.`;
    case 'end of hold':
      return `While the clock was wrong, ${share} fell due. Nothing is removed until this is confirmed.`;
    case 'restored backup':
      return `The store was restored from a backup, and ${share} ${are} past their deadline. Nothing is removed until this is confirmed.`;
    case 'restored collection':
      return `The collection was dropped and restored, and ${share} ${are} past their deadline. Nothing is removed until this is confirmed.`;
    case 'import':
      return `An import brought documents past their deadline: ${share} ${are} due. Nothing is removed until this is confirmed.`;
    case 'long closed':
      return `The store was closed${spanOf('for', durationMs)}, and ${share} ${are} due. Nothing is removed until this is confirmed.`;
    case 'clock forward':
      return `The clock jumped ahead${spanOf('by', durationMs)}. Time continues from before the jump until the clock is confirmed; ${share} would then be due.`;
    case 'clock backward':
      return `The clock jumped back${spanOf('by', durationMs)}. Time continues from before the jump, and nothing is removed until the clock has caught up or is confirmed.`;
  }
}

/** Returns ` for 8 days`, to the minute; empty if the duration is unknown. */
function spanOf(preposition: 'for' | 'by', durationMs: number | null): string {
  if (durationMs === null) return '';
  const seconds = (Math.round(durationMs / MINUTE_MS) * MINUTE_MS) / 1000;
  return ` ${preposition} ${formatLongDuration(seconds)}`;
}
