import { plural, t } from '@lingui/core/macro';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { NeverReasonCount, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { toCollection, toCreateIndex } from '../../../components/navigation/location.ts';
import { formatCount } from '../../../i18n/format.ts';
import { formatSource } from '../../../i18n/format-source.ts';
import type { Finder, Finding, Fix } from './finding.ts';

/** Reasons that are likely mistakes. The others are intended, or have findings of their own. */
const REASONS: Partial<Record<NeverReasonCount['reason'], (count: string, field: string) => string>> = {
  'missing field': (count, field) => t`${count} have no ${field}`,
  'not a date': (count, field) => t`${count} hold text in ${field} that is not a date`,
  'wrong type': (count, field) => t`${count} hold a value in ${field} that is not a date`,
  'not finite': (count, field) => t`${count} hold no finite number in ${field}`,
  'out of range': (count, field) => t`${count} have a ${field} before 1970 or after 9999`,
  'expression error': count => t`the expression fails for ${count}`,
  'not a duration': count => t`${count} hold no duration`,
};

/** Documents that neither an index nor another rule gives a deadline, by the index's reason [D5, X1]. */
export const neverExpiring: Finder = ({ indexes, collections }) =>
  [...indexes].flatMap(([name, all]) => {
    const summary = collections.find(found => found.name === name);
    const without = summary === undefined ? 0 : withoutDeadline(summary);
    return all.filter(({ state }) => state !== 'building').flatMap(index => findingOf(index, without));
  });

/** Documents of a collection that no rule makes due, apart from pinned ones. */
function withoutDeadline({ documents, withDeadline, pinned }: CollectionSummary): number {
  return Math.max(0, documents - withDeadline - pinned);
}

function findingOf({ collection, name, source, never, documents }: TtlIndex, without: number): Finding[] {
  const mistakes = never.reasons
    .filter(({ reason, count }) => reason in REASONS && count > 0)
    .sort((a, b) => b.count - a.count);
  const [largest] = mistakes;
  if (largest === undefined) return [];
  const unread = mistakes.reduce((sum, found) => sum + found.count, 0);
  // Another index may govern some of them.
  const count = Math.min(unread, without);
  if (count === 0) return [];
  const field = formatSource(source);
  const because = mistakes.map(found => REASONS[found.reason]?.(formatCount(found.count), field)).join(', ');
  return [
    {
      id: `never/${collection}/${name}`,
      severity: count > documents ? 'warning' : 'note',
      icon: 'never',
      collection,
      title: t`${formatCount(count)} in ${collection} never ${plural(count, { one: 'expires', other: 'expire' })}`,
      sentence:
        count < unread
          ? t`By ${name}, ${because}. At least ${formatCount(unread - count)} of them have a deadline from another rule.`
          : t`By ${name}, ${because}.`,
      todo: t`Fix them, or set an expiration by hand.`,
      fixes: [
        {
          label: mistakes.length === 1 ? t`List them` : t`List the ${formatCount(largest.count)}`,
          href: toCollection(collection, 'documents', { index: name, reason: largest.reason }),
        },
        ...formatFix({ collection, source, documents }, largest),
        { label: t`Show reasons`, href: toCollection(collection, 'ttl-indexes') },
      ],
      weight: count,
    },
  ];
}

/**
 * If most documents have text that is no date, it likely has another format, which the form of a new index detects. A
 * few such values are corrected in the documents.
 */
function formatFix(
  { collection, source, documents }: Pick<TtlIndex, 'collection' | 'source' | 'documents'>,
  { reason, count }: NeverReasonCount,
): Fix[] {
  if (source.kind !== 'field' || reason !== 'not a date' || count <= documents) return [];
  const { field, expireAfter, expireAfterField } = source;
  return [
    {
      label: t`Preview with another date format`,
      href: toCreateIndex(collection, { field, expireAfter, expireAfterField }),
    },
  ];
}
