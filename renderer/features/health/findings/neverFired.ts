import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCountdown, formatDuration } from '../../../../shared/model/format.ts';
import { toCollection, toEditIndex } from '../../../components/location.ts';
import type { Finder } from './finding.ts';
import { counted } from './words.ts';

const HOUR_MS = 3_600_000;

/** By when something should have left, had nothing put it off; null where that cannot be told. */
function expectedBy({ source, createdAt, documents }: TtlIndex): number | null {
  if (documents === 0) return createdAt + HOUR_MS;
  // Only of the last write it is known that nothing lies further ahead than the duration.
  return source.kind === 'lastModified' ? createdAt + source.expireAfter * 1_000 + HOUR_MS : null;
}

/** An index that acted on nothing since it was made, though it had the time to. */
export const neverFired: Finder = ({ indexes, acted, now, collections }) =>
  [...indexes.values()].flat().flatMap(index => {
    const { collection, name, state, overdue, documents, createdAt, paused, nextDeadlineAt } = index;
    const by = expectedBy(index);
    const fired = acted.get(collection)?.[name];
    const stored = collections.find(summary => summary.name === collection)?.documents ?? 0;
    if (state !== 'ready' || paused !== null || overdue > 0 || by === null || now < by || stored === 0)
      return [];
    // Not asked is not zero.
    if (fired !== 0) return [];
    const next =
      nextDeadlineAt === null ? '' : `; the next is due in ${formatCountdown(nextDeadlineAt - now)}`;
    return [
      {
        id: `idle/${collection}/${name}`,
        severity: 'note' as const,
        icon: 'off' as const,
        collection,
        title: `${name} never fired`,
        sentence:
          documents === 0
            ? `Made ${formatDuration(now - createdAt)} ago, it gives none of the ${counted(stored, 'document')} of ${collection} a deadline.`
            : `Made ${formatDuration(now - createdAt)} ago; every document of ${collection} is written again before its deadline${next}.`,
        todo: documents === 0 ? 'Check the field it reads.' : 'Perhaps its duration is too long.',
        fixes: [
          { label: 'Open the index', href: toCollection(collection, 'ttl-indexes') },
          { label: 'Edit…', href: toEditIndex(collection, name) },
        ],
        weight: 1,
      },
    ];
  });
