import { t } from '@lingui/core/macro';
import { toCollection } from '../../../components/navigation/location.ts';
import { formatCountdown } from '../../../i18n/format.ts';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import type { Finder, Finding } from './finding.ts';
import { formatPercent, formatRate, roundUp } from './format-finding.ts';

/** Least number of documents to be reported. */
const LEAST = 1_000;
/** Proposed time to spread a cliff over, seconds. */
const SPREAD_S = 1_800;

function todoOf(count: number, rate: number, isProposal: boolean): string {
  const takes = formatCountdown((count / rate) * 1_000);
  return isProposal
    ? t`At ${formatRate(rate)} a second they would be removed over ${takes}.`
    : t`At ${formatRate(rate)} a second they are removed over ${takes}.`;
}

/** Many documents that expire at one instant: the largest such cliff of each collection in the next day. */
export const cliffs: Finder = ({ cliffs: found, now, collections, indexes, words }) => {
  const tallest = new Map<string, (typeof found)[number]>();
  for (const cliff of found) {
    const known = tallest.get(cliff.series);
    if (cliff.at > now && cliff.count >= LEAST && (known === undefined || cliff.count > known.count))
      tallest.set(cliff.series, cliff);
  }
  return [...tallest.values()].map(({ at, count, series }): Finding => {
    const documents = collections.find(({ name }) => name === series)?.documents ?? count;
    const gentle = roundUp(count / SPREAD_S);
    // With several indexes, the cause of the cliff is not known.
    const [only, ...others] = indexes.get(series) ?? [];
    const unlimited = only !== undefined && others.length === 0 && !only.limits.removalsPerSecond;
    return {
      id: `cliff/${series}/${at}`,
      severity: 'note',
      icon: 'cliff',
      collection: series,
      title: t`Cliff in ${formatCountdown(at - now)}, ${series}`,
      sentence: t`${formatRecordCount(words, count)}, ${formatPercent(count / documents)} of it, expire at one instant.`,
      todo: todoOf(count, only?.limits.removalsPerSecond || gentle, unlimited),
      fixes: [
        {
          label: t`List them`,
          href: toCollection(series, 'documents', { dueFrom: at, dueTo: at + 1_000 }),
        },
        ...(unlimited
          ? [
              {
                label: t`Limit to ${formatRate(gentle)} / s`,
                action: {
                  is: 'limit' as const,
                  collection: series,
                  index: only.name,
                  before: 0,
                  perSecond: gentle,
                },
              },
            ]
          : []),
      ],
      weight: count,
    };
  });
};
