import { plural, t } from '@lingui/core/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatList } from '../../../i18n/sentence.ts';
import { formatAction } from '../format/format-action.ts';
import { formatSchedule } from '../format/format-index.ts';

/** Describes the other indexes of the collection, because the preview counts one index only. */
export function formatOtherIndexes(others: readonly TtlIndex[]): string | null {
  if (others.length === 0) return null;
  const removing = others
    .filter(({ state, paused }) => state === 'ready' && paused === null)
    .map(({ name, overdue, dueNextHour }) => ({ name, count: overdue + dueNextHour }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const first = removing[0];
  if (first === undefined) {
    const name = others[0]?.name ?? '';
    return plural(others.length, {
      one: `This index alone. ${name} acts on the collection, too; the earliest deadline wins.`,
      other: `This index alone. # others act on the collection, too; the earliest deadline wins.`,
    });
  }
  const count = formatCount(first.count);
  const more = formatList(removing.slice(1).map(other => `${other.name} ${formatCount(other.count)}`));
  return more === ''
    ? t`This index alone. ${first.name} already removes ${count} of them within the hour; the earliest deadline wins.`
    : t`This index alone. ${first.name} already removes ${count} of them within the hour, ${more}; the earliest deadline wins.`;
}

/** Returns `Exact, at each deadline`, or each schedule with its index if the schedules differ. */
export function formatSchedules(others: readonly TtlIndex[]): string {
  return eachOrOne(others, ({ schedule }) => formatSchedule(schedule)) ?? t`none`;
}

/** Returns `delete`, or each action with its index if the actions differ. */
export function formatActions(others: readonly TtlIndex[]): string {
  return eachOrOne(others, ({ onExpire }) => formatAction(onExpire)) ?? t`nothing`;
}

/** Returns one text for all indexes, or one for each with its name if they differ; null without indexes. */
function eachOrOne(indexes: readonly TtlIndex[], said: (index: TtlIndex) => string): string | null {
  const [first, ...rest] = new Set(indexes.map(said));
  if (first === undefined) return null;
  return rest.length === 0 ? first : indexes.map(index => `${index.name}: ${said(index)}`).join('; ');
}
