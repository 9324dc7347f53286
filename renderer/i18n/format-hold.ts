import { plural, t } from '@lingui/core/macro';
import type { HoldFacts } from '../../shared/model/hold.ts';
import { formatCount, formatLongDuration } from './format.ts';

const MINUTE_MS = 60_000;

/**
 * Returns the reason of a hold, and that its documents wait for confirmation, in the language of the window [R8, R9,
 * R10].
 */
export function formatHold({ cause, index, due, documents: total, durationMs }: HoldFacts): string {
  const share = t`${formatCount(due)} of ${plural(total, { one: '# document', other: '# documents' })}`;
  // Rounded to the minute.
  const duration =
    durationMs === null ? null : formatLongDuration((Math.round(durationMs / MINUTE_MS) * MINUTE_MS) / 1000);
  switch (cause) {
    case 'definition':
      return index === null
        ? t`An index would make ${share} due at once. It has no effect until this is confirmed.`
        : t`${index} would make ${share} due at once. It has no effect until this is confirmed.`;
    case 'bulk change':
      return t`A bulk change of expirations made ${share} due at once. Nothing is removed until this is confirmed.`;
    case 'end of hold':
      return t`While the clock was wrong, ${share} fell due. Nothing is removed until this is confirmed.`;
    case 'restored backup':
      return t`The store was restored from a backup, and ${share} ${plural(due, { one: 'is', other: 'are' })} past their deadline. Nothing is removed until this is confirmed.`;
    case 'restored collection':
      return t`The collection was dropped and restored, and ${share} ${plural(due, { one: 'is', other: 'are' })} past their deadline. Nothing is removed until this is confirmed.`;
    case 'import':
      return t`An import brought documents past their deadline: ${share} ${plural(due, { one: 'is', other: 'are' })} due. Nothing is removed until this is confirmed.`;
    case 'long closed':
      return duration === null
        ? t`The store was closed, and ${share} ${plural(due, { one: 'is', other: 'are' })} due. Nothing is removed until this is confirmed.`
        : t`The store was closed for ${duration}, and ${share} ${plural(due, { one: 'is', other: 'are' })} due. Nothing is removed until this is confirmed.`;
    case 'clock forward':
      return duration === null
        ? t`The clock jumped ahead. Time continues from before the jump until the clock is confirmed; ${share} would then be due.`
        : t`The clock jumped ahead by ${duration}. Time continues from before the jump until the clock is confirmed; ${share} would then be due.`;
    case 'clock backward':
      return duration === null
        ? t`The clock jumped back. Time continues from before the jump, and nothing is removed until the clock has caught up or is confirmed.`
        : t`The clock jumped back by ${duration}. Time continues from before the jump, and nothing is removed until the clock has caught up or is confirmed.`;
  }
}
