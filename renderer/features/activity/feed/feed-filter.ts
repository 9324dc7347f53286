import type { Change } from './feed-log.ts';
import { KINDS } from './format-feed.ts';

/** What the feed is narrowed to, as its address says it. */
export interface FeedFilter {
  collection: string | null;
  kind: Change['kind'] | null;
  index: string | null;
  /** In an `_id` or the name of an index. */
  text: string;
}

export function readFeedFilter(query: URLSearchParams): FeedFilter {
  const collection = query.get('collection');
  return {
    collection,
    kind: KINDS.find(({ value }) => value === query.get('kind'))?.value ?? null,
    // Names of indexes are a collection's own.
    index: collection === null ? null : query.get('index'),
    text: query.get('filter') ?? '',
  };
}

export function isNarrow({ collection, kind, index, text }: FeedFilter): boolean {
  return collection !== null || kind !== null || index !== null || text.trim() !== '';
}

/** Whether a change is one of those. (Its collection is asked for; here it only is checked.) */
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
