import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { type DocumentsQuery, isFiltered, listInput } from './documents-query.ts';
import { idBetween } from './id-between.ts';
import { CLIP_BYTES, type PageSource } from './page-source.ts';

/** Number of rows read as the end of the list. */
const AT_THE_END = 100;

type Documents = Client['documents'];

/** Far jumps in an unfiltered list sorted by `_id`; null for other lists. */
export function idOrder(
  documents: Documents,
  collection: string,
  query: DocumentsQuery,
  now: () => number,
): Pick<PageSource, 'locate' | 'before'> | null {
  if (query.sort !== '_id' || isFiltered(query)) return null;
  const turned = query.order === 'asc' ? ('desc' as const) : ('asc' as const);
  const list = (part: Partial<Parameters<Documents['list']>[0]>, signal: AbortSignal) =>
    documents.list({ collection, ...listInput(query, now()), clip: CLIP_BYTES, ...part }, { signal });

  return {
    async locate(fraction, signal) {
      const [start, end] = await Promise.all([
        list({ limit: 1 }, signal),
        list({ limit: 1, order: turned }, signal),
      ]);
      const first = start.documents[0]?._id;
      const last = end.documents[0]?._id;
      if (first === undefined || last === undefined) return null;
      const page = await list({ limit: 1, startAt: idBetween(first, last, fraction) }, signal);
      if (page.next !== null) return page.next;
      // Unevenly distributed _ids: no row follows the estimate, so the last rows are read.
      const ending = await list({ limit: AT_THE_END, order: turned }, signal);
      const startAt = ending.documents.at(-1)?._id;
      return startAt === undefined ? null : (await list({ limit: 1, startAt }, signal)).next;
    },

    async before({ _id }, limit, signal) {
      const met: DocumentRecord[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<Documents['list']>> = await list(
          { order: turned, limit: limit + 1, ...(after === null ? { startAt: _id } : { after }) },
          signal,
        );
        met.push(...page.documents.filter(row => row._id !== _id));
        after = page.next;
      } while (met.length < limit && after !== null);
      return met.slice(0, limit).reverse();
    },
  };
}
