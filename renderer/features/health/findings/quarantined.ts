import { formatCount } from '../../../../shared/model/format.ts';
import { toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import type { Finder } from './finding.ts';

/** Documents whose action failed or did not remove them from the index [A5]. */
export const quarantined: Finder = ({ indexes }) =>
  [...indexes.values()].flat().flatMap(({ collection, name, quarantined: count, onExpire, never }) => {
    if (count === 0) return [];
    const message = never.reasons.find(({ reason }) => reason === 'quarantined')?.message;
    return [
      {
        id: `quarantined/${collection}/${name}`,
        severity: 'urgent' as const,
        icon: 'quarantined' as const,
        collection,
        title: `${formatCount(count)} quarantined in ${collection}`,
        sentence: `The ${onExpire.action} of ${name} failed for ${count === 1 ? 'it' : 'them'}${message === undefined ? '' : `: ${message.replace(/\.$/, '')}`}.`,
        todo: `${count === 1 ? 'It stays' : 'They stay'} until written again, or until the index changes.`,
        fixes: [
          {
            label: count === 1 ? 'Show it' : 'List them',
            href: toCollection(collection, 'documents', { state: 'quarantined', index: name }),
          },
          { label: `Edit the ${onExpire.action}`, href: toEditIndex(collection, name) },
        ],
        weight: count,
      },
    ];
  });
