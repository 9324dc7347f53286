import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { NeverReasonCount, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { formatSource } from '../../../../shared/model/ttl-index.ts';
import { toCollection, toCreateIndex } from '../../../components/navigation/location.ts';
import type { Finder, Finding, Fix } from './finding.ts';

/** Reasons that are likely mistakes. The others are intended, or findings of their own. */
const REASONS: Partial<Record<NeverReasonCount['reason'], (count: string, field: string) => string>> = {
  'missing field': (count, field) => `${count} have no ${field}`,
  'not a date': (count, field) => `${count} hold text in ${field} that is not a date`,
  'wrong type': (count, field) => `${count} hold a value in ${field} that is not a date`,
  'not finite': (count, field) => `${count} hold no finite number in ${field}`,
  'out of range': (count, field) => `${count} have a ${field} before 1970 or after 9999`,
  'expression error': count => `the expression fails for ${count}`,
  'not a duration': count => `${count} hold no duration`,
};

/** Documents to which an index gives no deadline, by reason, and no other rule does [D5, X1]. */
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
      title: `${formatCount(count)} in ${collection} never ${count === 1 ? 'expires' : 'expire'}`,
      sentence: `By ${name}, ${because}.${count < unread ? ` At least ${formatCount(unread - count)} of them have a deadline from another rule.` : ''}`,
      todo: 'Fix them, or set an expiration by hand.',
      fixes: [
        {
          label: mistakes.length === 1 ? 'List them' : `List the ${formatCount(largest.count)}`,
          href: toCollection(collection, 'documents', { index: name, reason: largest.reason }),
        },
        ...formatFix({ collection, source, documents }, largest),
        { label: 'Show reasons', href: toCollection(collection, 'ttl-indexes') },
      ],
      weight: count,
    },
  ];
}

/**
 * Text that is no date in most documents is likely of another format, which the form of a new index detects. A few such
 * values are corrected in the documents.
 */
function formatFix(
  { collection, source, documents }: Pick<TtlIndex, 'collection' | 'source' | 'documents'>,
  { reason, count }: NeverReasonCount,
): Fix[] {
  if (source.kind !== 'field' || reason !== 'not a date' || count <= documents) return [];
  const { field, expireAfter, expireAfterField } = source;
  return [
    {
      label: 'Preview with another date format',
      href: toCreateIndex(collection, { field, expireAfter, expireAfterField }),
    },
  ];
}
