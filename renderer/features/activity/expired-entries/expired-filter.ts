import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { HistorySource } from '../history/history-pager.ts';

/** What the ledger is narrowed to, as its address says it. */
export interface LedgerFilter {
  collection: string | null;
  index: string | null;
  /** When it was done, [from, to) in epoch ms. */
  from: number | null;
  to: number | null;
  /** In the `_id`. */
  text: string;
  /** Only what can still be brought back. */
  isKept: boolean;
}

export function readLedgerFilter(query: URLSearchParams): LedgerFilter {
  const instant = (name: string): number | null => {
    const text = query.get(name);
    const value = Number(text);
    return text === null || text === '' || !Number.isFinite(value) ? null : value;
  };
  const collection = query.get('collection');
  return {
    collection,
    // Names of indexes are a collection's own.
    index: collection === null ? null : query.get('index'),
    from: instant('from'),
    to: instant('to'),
    text: query.get('filter') ?? '',
    isKept: query.get('restorable') === 'true',
  };
}

/** The query that shows all again. */
export const NO_FILTER = {
  collection: null,
  index: null,
  from: null,
  to: null,
  filter: null,
  restorable: null,
};

export function isNarrowed(filter: LedgerFilter): boolean {
  const { collection, from, to, text, isKept } = filter;
  return collection !== null || from !== null || to !== null || text.trim() !== '' || isKept;
}

export function matches(entry: ExpiredEntry, filter: LedgerFilter): boolean {
  const { index, from, to, text, isKept } = filter;
  if (index !== null && entry.index !== index) return false;
  if (from !== null && entry.removedAt < from) return false;
  if (to !== null && entry.removedAt >= to) return false;
  if (isKept && entry.restorable === null) return false;
  return entry._id.toLowerCase().includes(text.trim().toLowerCase());
}

/** A span that the engine can be told of as a whole: which, and until when, so that what leaves later is not meant. */
export interface ExpiredSpan {
  collection: string;
  index?: string;
  removedFrom?: number;
  removedTo: number;
}

/** Null where only the entries themselves can say which are meant. */
export function spanOf({ collection, index, from, to, text }: LedgerFilter, now: number): ExpiredSpan | null {
  if (collection === null || text.trim() !== '') return null;
  return {
    collection,
    ...(index !== null && { index }),
    ...(from !== null && { removedFrom: from }),
    removedTo: to ?? now,
  };
}

type ReadExpired = (input: {
  collection?: string;
  before?: string;
  limit: number;
}) => Promise<{ expired: ExpiredEntry[]; next: string | null }>;

export function ledgerSource(filter: LedgerFilter, read: ReadExpired): HistorySource<ExpiredEntry> {
  const { collection, from } = filter;
  return {
    read: async (before, limit) => {
      const page = await read({
        limit,
        ...(collection !== null && { collection }),
        ...(before !== null && { before }),
      });
      return { rows: page.expired, next: page.next };
    },
    numberOf: ({ id }) => Number(id),
    shows: entry => matches(entry, filter),
    isBefore: ({ removedAt }) => from !== null && removedAt < from,
  };
}
