import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { LAST_INSTANT } from '../../../../shared/model/reference-time.ts';
import { type DocumentsQuery, listInput } from './documents-query.ts';
import { idOrder } from './id-order.ts';
import { CLIP_BYTES, type PageSource } from './page-source.ts';

const TIME_BUCKETS = 2000;
/** Later than any deadline, epoch ms. */
const NO_LATER = LAST_INSTANT + 1;
/** Most pages of documents with one deadline that are read to find the rows before them. */
const MOST_TIES = 10_000;
const AT_ONCE = 1000;

type Documents = Client['documents'];
type Timeline = Client['timeline'];

/** Reads documents of one collection and one query for the pager. */
export function documentSource(
  documents: Documents,
  timeline: Timeline,
  collection: string,
  query: DocumentsQuery,
  everyOneHasDeadline: () => boolean,
  now: () => number,
): PageSource {
  const narrowed = () => listInput(query, now());
  const isSearched = query.filter.trim() !== '' || query.cel.trim() !== '';
  const isByTime = query.sort === 'deadline' && query.index === null && query.reason === null;

  const byId = idOrder(documents, collection, query, now);

  // After the last deadline, the engine would read every document again to find those without a deadline.
  const allBefore = () =>
    isByTime && query.dueTo === null && query.state !== 'overdue' && everyOneHasDeadline()
      ? { dueTo: NO_LATER }
      : {};

  return {
    list: (after, limit, signal) =>
      documents.list(
        {
          collection,
          ...narrowed(),
          ...allBefore(),
          clip: CLIP_BYTES,
          limit,
          ...(after !== null && { after }),
        },
        { signal },
      ),

    async locate(fraction, signal) {
      if (byId !== null) return byId.locate(fraction, signal);
      if (!isByTime || query.state !== null || isSearched) return null;
      const at = await instantAt(timeline, collection, query, fraction, signal);
      if (at === null) return null;
      const bound = query.order === 'asc' ? { dueFrom: at } : { dueTo: at };
      // Only the cursor of this page is used: a page limited by time does not continue to documents without a deadline.
      const page = await documents.list({ collection, ...narrowed(), ...bound, limit: 1 }, { signal });
      return page.next;
    },

    async before(row, limit, signal) {
      if (byId !== null) return byId.before(row, limit, signal);
      const { deadlineAt } = row;
      if (!isByTime || deadlineAt === null) return null;
      const isAscending = query.order === 'asc';
      const turned = { order: isAscending ? 'desc' : 'asc' } as const;
      const bound = isAscending ? { dueTo: deadlineAt + 1 } : { dueFrom: deadlineAt };
      const met: DocumentRecord[] = [];
      let after: string | null = null;
      while (met.length < MOST_TIES) {
        const page: Awaited<ReturnType<Documents['list']>> = await documents.list(
          {
            collection,
            ...narrowed(),
            ...bound,
            ...turned,
            clip: CLIP_BYTES,
            limit: AT_ONCE,
            ...(after !== null && { after }),
          },
          { signal },
        );
        met.push(...page.documents);
        const place = met.findIndex(({ _id }) => _id === row._id);
        const isEnough = place !== -1 && met.length - place > limit;
        if (isEnough || page.next === null) {
          return place === -1 ? null : met.slice(place + 1, place + 1 + limit).reverse();
        }
        after = page.next;
      }
      return null;
    },
  };
}

/** Returns the time by which about `fraction` of the deadlines have passed, from the timeline's exact counts. */
async function instantAt(
  timeline: Timeline,
  collection: string,
  query: DocumentsQuery,
  fraction: number,
  signal: AbortSignal,
): Promise<number | null> {
  const known = await timeline.get({ collection, from: 0, to: 1, buckets: 1 }, { signal });
  const from = query.dueFrom ?? known.oldestOverdueAt ?? known.now;
  const to = query.dueTo ?? (known.latestAt === null ? null : known.latestAt + 1);
  if (to === null || to <= from) return null;
  const { buckets } = await timeline.get({ collection, from, to, buckets: TIME_BUCKETS }, { signal });
  const ordered = query.order === 'asc' ? buckets : buckets.toReversed();
  const due = ordered.reduce((sum, bucket) => sum + bucket.due, 0);
  let left = due * fraction;
  for (const bucket of ordered) {
    left -= bucket.due;
    if (left < 0) return query.order === 'asc' ? bucket.fromAt : bucket.toAt;
  }
  return null;
}
