import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { HistorySource } from '../history/history-pager.ts';

/** Filter of the expired list, from the URL. */
export interface ExpiredFilter {
  collection: string | null;
  index: string | null;
  /** Removal time, [from, to) in epoch ms. */
  from: number | null;
  to: number | null;
  /** Part of the `_id`. */
  text: string;
  /** Only restorable entries. */
  isRestorable: boolean;
  /** Reason why documents were removed; null: any reason. */
  cause: ExpiredEntry['cause'] | null;
}

/** `here`: the collection of the page; without one, the URL names the collection. */
export function readExpiredFilter(query: URLSearchParams, here: string | null = null): ExpiredFilter {
  const instant = (name: string): number | null => {
    const text = query.get(name);
    const value = Number(text);
    return text === null || text === '' || !Number.isFinite(value) ? null : value;
  };
  const collection = here ?? query.get('collection');
  const cause = query.get('cause');
  return {
    collection,
    // An index name is unique within a collection only.
    index: collection === null ? null : query.get('index'),
    from: instant('from'),
    to: instant('to'),
    text: query.get('filter') ?? '',
    isRestorable: query.get('restorable') === 'true',
    cause: cause === 'expired' || cause === 'deleted' ? cause : null,
  };
}

/** URL query that clears every filter. */
export const NO_FILTER = {
  collection: null,
  index: null,
  from: null,
  to: null,
  filter: null,
  restorable: null,
  cause: null,
};

export function isFiltered(filter: ExpiredFilter): boolean {
  const { collection, from, to, text, isRestorable, cause } = filter;
  return (
    collection !== null ||
    from !== null ||
    to !== null ||
    text.trim() !== '' ||
    isRestorable ||
    cause !== null
  );
}

/** @internal */
export function matches(entry: ExpiredEntry, filter: ExpiredFilter): boolean {
  const { index, from, to, text, isRestorable, cause } = filter;
  if (cause !== null && entry.cause !== cause) return false;
  if (index !== null && entry.index !== index) return false;
  if (from !== null && entry.removedAt < from) return false;
  if (to !== null && entry.removedAt >= to) return false;
  if (isRestorable && entry.restorable === null) return false;
  return entry._id.toLowerCase().includes(text.trim().toLowerCase());
}

/**
 * Selects entries by collection and removal time. The span ends at a fixed time, so that entries added later are not
 * included.
 */
export interface ExpiredSpan {
  collection: string;
  index?: string;
  removedFrom?: number;
  removedTo: number;
  cause: ExpiredEntry['cause'] | 'any';
}

/** Returns null if the filter cannot be expressed as a span. */
export function spanOf(
  { collection, index, from, to, text, cause }: ExpiredFilter,
  now: number,
): ExpiredSpan | null {
  if (collection === null || text.trim() !== '') return null;
  return {
    collection,
    ...(index !== null && { index }),
    ...(from !== null && { removedFrom: from }),
    removedTo: to ?? now,
    cause: cause ?? 'any',
  };
}

type ReadExpired = (input: {
  collection?: string;
  cause?: ExpiredEntry['cause'];
  before?: string;
  limit: number;
}) => Promise<{ expired: ExpiredEntry[]; next: string | null }>;

export function expiredSource(filter: ExpiredFilter, read: ReadExpired): HistorySource<ExpiredEntry> {
  const { collection, from, cause } = filter;
  return {
    read: async (before, limit) => {
      const page = await read({
        limit,
        ...(collection !== null && { collection }),
        ...(cause !== null && { cause }),
        ...(before !== null && { before }),
      });
      return { rows: page.expired, next: page.next };
    },
    numberOf: ({ id }) => Number(id),
    shows: entry => matches(entry, filter),
    isBefore: ({ removedAt }) => from !== null && removedAt < from,
  };
}
