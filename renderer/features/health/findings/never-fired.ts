import { t } from '@lingui/core/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import { formatCountdown, formatDuration } from '../../../i18n/format.ts';
import { formatRecordCount } from '../../../i18n/format-engine-words.ts';
import type { Finder } from './finding.ts';

const HOUR_MS = 3_600_000;

/** Returns the latest time at which the index should have acted; null: not known. */
function expectedBy({ source, createdAt, documents }: TtlIndex): number | null {
  if (documents === 0) return createdAt + HOUR_MS;
  // Only with last-modified times is every deadline at most one duration ahead.
  return source.kind === 'lastModified' ? createdAt + source.expireAfter * 1_000 + HOUR_MS : null;
}

/** Returns whether the index had enough time to act; only then the number of its actions is read. */
export function mayBeIdle(index: TtlIndex, now: number): boolean {
  const by = expectedBy(index);
  return index.state === 'ready' && index.paused === null && index.overdue === 0 && by !== null && now >= by;
}

/** An index that acted on no document since it was created. */
export const neverFired: Finder = ({ indexes, acted, now, collections, words }) =>
  [...indexes.values()].flat().flatMap(index => {
    const { collection, name, documents, createdAt, nextDeadlineAt } = index;
    const fired = acted.get(collection)?.[name];
    const stored = collections.find(summary => summary.name === collection)?.documents ?? 0;
    if (stored === 0 || !mayBeIdle(index, now)) return [];
    // Undefined: not read.
    if (fired !== 0) return [];
    const next =
      nextDeadlineAt === null ? '' : `; the next is due in ${formatCountdown(nextDeadlineAt - now)}`;
    return [
      {
        id: `idle/${collection}/${name}`,
        severity: 'note' as const,
        icon: 'off' as const,
        collection,
        title: t`${name} never fired`,
        sentence:
          documents === 0
            ? t`Created ${formatDuration(now - createdAt)} ago, it gives none of the ${formatRecordCount(words, stored)} of ${collection} a deadline.`
            : t`Created ${formatDuration(now - createdAt)} ago; every document of ${collection} is written again before its deadline${next}.`,
        todo: documents === 0 ? t`Check the field it reads.` : t`Its duration may be too long.`,
        fixes: [
          { label: t`Open the index`, href: toCollection(collection, 'ttl-indexes') },
          { label: t`Edit…`, href: toEditIndex(collection, name) },
        ],
        weight: 1,
      },
    ];
  });
