import { plural, t } from '@lingui/core/macro';
import { toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
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
        title: t`${formatCount(count)} quarantined in ${collection}`,
        sentence:
          message === undefined
            ? t`The ${onExpire.action} of ${name} failed for ${plural(count, { one: 'it', other: 'them' })}.`
            : t`The ${onExpire.action} of ${name} failed for ${plural(count, { one: 'it', other: 'them' })}: ${message.replace(/\.$/, '')}.`,
        todo: plural(count, {
          one: 'It stays until written again, or until the index changes.',
          other: 'They stay until written again, or until the index changes.',
        }),
        fixes: [
          {
            label: count === 1 ? t`Show it` : t`List them`,
            href: toCollection(collection, 'documents', { state: 'quarantined', index: name }),
          },
          { label: t`Edit the ${onExpire.action}`, href: toEditIndex(collection, name) },
        ],
        weight: count,
      },
    ];
  });
