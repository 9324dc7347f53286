import { t } from '@lingui/core/macro';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { toCollection, toCreateIndex } from '../../../components/navigation/location.ts';
import { formatBytes, formatCount } from '../../../i18n/format.ts';
import { formatRecordCount, formatRecords } from '../../../i18n/format-engine-words.ts';
import type { Facts, Finder } from './finding.ts';

const DAY_MS = 86_400_000;
/** Least number of documents, and least share of growth a day, to be reported. */
const LEAST = 1_000;
const LEAST_A_DAY = 0.01;

/** Returns whether no document of the collection has a deadline, and no index will give it one. */
export const growsForever = ({ ttlIndexes, withDeadline }: CollectionSummary) =>
  ttlIndexes === 0 && withDeadline === 0;

/** Returns documents added a day; null: not known. */
function growthPerDay(
  { now, earlier, importedAt }: Facts,
  { name, documents }: CollectionSummary,
): number | null {
  const then = earlier.get(name);
  if (then === undefined || now - then.at < 60_000) return null;
  // Imported documents are not typical of a day.
  if ((importedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= then.at) return null;
  return ((documents - then.documents) * DAY_MS) / (now - then.at);
}

/** Collections without TTL that keep growing. */
export const growing: Finder = facts =>
  facts.collections.filter(growsForever).flatMap(summary => {
    const { name, documents, bytes } = summary;
    const daily = growthPerDay(facts, summary);
    if (documents < LEAST || daily === null || daily < documents * LEAST_A_DAY) return [];
    const bytesDaily = (bytes / documents) * daily;
    return [
      {
        id: `growing/${name}`,
        severity: 'warning' as const,
        icon: 'grow' as const,
        collection: name,
        title: t`${name} grows without a TTL`,
        sentence: t`It gains ${formatRecordCount(facts.words, Math.round(daily))} and ${formatBytes(bytesDaily)} a day at the present rate; it holds ${formatCount(documents)}, and nothing expires.`,
        todo: t`See what a TTL index would remove.`,
        fixes: [
          { label: t`Create TTL index…`, href: toCreateIndex(name) },
          { label: formatRecords(facts.words), href: toCollection(name, 'documents') },
        ],
        weight: documents,
      },
    ];
  });
