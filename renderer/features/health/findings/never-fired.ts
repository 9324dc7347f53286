import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCountdown, formatDuration } from '../../../../shared/model/format.ts';
import { toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import type { Finder } from './finding.ts';
import { counted } from './words.ts';

const HOUR_MS = 3_600_000;

/** By when something should have left, had nothing put it off; null where that cannot be told. */
function expectedBy({ source, createdAt, documents }: TtlIndex): number | null {
  if (documents === 0) return createdAt + HOUR_MS;
  // Only of the last write it is known that nothing lies further ahead than the duration.
  return source.kind === 'lastModified' ? createdAt + source.expireAfter * 1_000 + HOUR_MS : null;
}

/** Had the time to act, and seems not to: only of such is it worth asking what they did. */
export function mayBeIdle(index: TtlIndex, now: number): boolean {
  const by = expectedBy(index);
  return index.state === 'ready' && index.paused === null && index.overdue === 0 && by !== null && now >= by;
}

/** An index that acted on nothing since it was made, though it had the time to. */
export const neverFired: Finder = ({ indexes, acted, now, collections }) =>
  [...indexes.values()].flat().flatMap(index => {
    const { collection, name, documents, createdAt, nextDeadlineAt } = index;
    const fired = acted.get(collection)?.[name];
    const stored = collections.find(summary => summary.name === collection)?.documents ?? 0;
    if (stored === 0 || !mayBeIdle(index, now)) return [];
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
