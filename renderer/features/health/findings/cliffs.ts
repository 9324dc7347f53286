import { formatCountdown } from '../../../../shared/model/format.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import type { Finder, Finding } from './finding.ts';
import { counted, percent, perSecond, roundUp } from './words.ts';

/** Fewer leave without anybody noticing. */
const LEAST = 1_000;
/** Spread over half an hour a cliff is a slope. */
const SPREAD_S = 1_800;

function todoOf(count: number, rate: number, isProposal: boolean): string {
  const takes = formatCountdown((count / rate) * 1_000);
  return isProposal
    ? `At ${perSecond(rate)} a second they would leave over ${takes}.`
    : `At ${perSecond(rate)} a second they leave over ${takes}.`;
}

/** Many documents at one instant: the largest of each collection in the next day. */
export const cliffs: Finder = ({ cliffs: found, now, collections, indexes }) => {
  const tallest = new Map<string, (typeof found)[number]>();
  for (const cliff of found) {
    const known = tallest.get(cliff.series);
    if (cliff.at > now && cliff.count >= LEAST && (known === undefined || cliff.count > known.count))
      tallest.set(cliff.series, cliff);
  }
  return [...tallest.values()].map(({ at, count, series }): Finding => {
    const documents = collections.find(({ name }) => name === series)?.documents ?? count;
    const gentle = roundUp(count / SPREAD_S);
    // Where several indexes act, whose cliff it is is not known here.
    const [only, ...others] = indexes.get(series) ?? [];
    const unlimited = only !== undefined && others.length === 0 && !only.limits.removalsPerSecond;
    return {
      id: `cliff/${series}/${at}`,
      severity: 'note',
      icon: 'cliff',
      collection: series,
      title: `Cliff in ${formatCountdown(at - now)}, ${series}`,
      sentence: `${counted(count, 'document')}, ${percent(count / documents)} of it, expire in one instant.`,
      todo: todoOf(count, only?.limits.removalsPerSecond || gentle, unlimited),
      fixes: [
        {
          label: 'Show them',
          href: toCollection(series, 'documents', { dueFrom: at, dueTo: at + 1_000 }),
        },
        ...(unlimited
          ? [
              {
                label: `Limit to ${perSecond(gentle)} / s`,
                act: {
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
