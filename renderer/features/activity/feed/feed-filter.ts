import type { Change } from './feed-log.ts';
import { KINDS } from './format-feed.ts';

/** Filter of the feed, from the URL. */
export interface FeedFilter {
  collection: string | null;
  kind: Change['kind'] | null;
  index: string | null;
  /** Part of an `_id` or of an index name. */
  text: string;
}

export function readFeedFilter(query: URLSearchParams): FeedFilter {
  const collection = query.get('collection');
  return {
    collection,
    kind: KINDS.find(({ value }) => value === query.get('kind'))?.value ?? null,
    // An index name is unique within a collection only.
    index: collection === null ? null : query.get('index'),
    text: query.get('filter') ?? '',
  };
}

export function isFiltered({ collection, kind, index, text }: FeedFilter): boolean {
  return collection !== null || kind !== null || index !== null || text.trim() !== '';
}

/** Returns whether a change matches. The engine filters by collection already. */
export function matcherOf({ collection, kind, index, text }: FeedFilter): (change: Change) => boolean {
  const wanted = text.trim().toLowerCase();
  return change => {
    if (collection !== null && change.collection !== collection) return false;
    if (kind !== null && change.kind !== kind) return false;
    const rule = change.kind === 'expire' ? change.index : null;
    if (index !== null && rule !== index) return false;
    if (wanted === '') return true;
    return change._id.toLowerCase().includes(wanted) || rule?.toLowerCase().includes(wanted) === true;
  };
}
