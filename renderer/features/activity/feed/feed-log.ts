import type { ChangeEvent } from '../../../../shared/contract/events.ts';

export type Change = Exclude<ChangeEvent, { kind: 'end' }>;

/** One document of a row. */
export interface FeedItem {
  _id: string;
  position: number;
  /** Lag of an expiry, ms. */
  due: { deadlineAt: number; lagMs: number } | null;
}

/** Changes of one kind in one collection and one change set. */
export interface FeedRow {
  /** `revision.position` of the first change. */
  key: string;
  revision: number;
  at: number;
  kind: Change['kind'];
  collection: string;
  /** Index, action, pass and longest lag of an expiry. */
  expiry: {
    index: string;
    action: 'delete' | 'patch' | 'replace' | 'move';
    pass: number;
    lagMs: number;
  } | null;
  /** Exact; `items` holds only the first documents. */
  count: number;
  items: readonly FeedItem[];
}

/** Revisions that were not read. */
export interface FeedGap {
  key: string;
  kind: 'gap';
  /** Inclusive. */
  from: number;
  to: number;
}

export type FeedEntry = FeedRow | FeedGap;

/**
 * Most documents kept per row; the expired list and the collection have all of them.
 * @internal
 */
export const ITEMS_A_ROW = 100;
/**
 * Most documents kept in all rows.
 * @internal
 */
export const CHANGES_KEPT = 2_000;

type OpenRow = FeedRow & { items: FeedItem[] };

/**
 * The newest changes, grouped, in bounded memory: ten thousand expiries of one change set are one row. A change set
 * is shown when it is complete [V4].
 */
export class FeedLog {
  readonly #matches: (change: Change) => boolean;
  /** Newest first. */
  #entries: readonly FeedEntry[] = [];
  /** Rows of the change set being read, in order. */
  #current = new Map<string, OpenRow>();
  /** Complete rows that `entries` did not return yet, oldest first. */
  #fresh: FeedEntry[] = [];
  #freshChanges = 0;

  constructor(matches: (change: Change) => boolean) {
    this.#matches = matches;
  }

  /** Adds the next event of the log. Returns the number of changes of the change set that it completes, else 0. */
  take(event: ChangeEvent): number {
    if (event.kind !== 'end') {
      if (this.#matches(event)) this.#add(event);
      return 0;
    }
    let ended = 0;
    for (const row of this.#current.values()) {
      ended += row.count;
      this.#fresh.push(row);
    }
    this.#current.clear();
    this.#freshChanges += ended;
    return ended;
  }

  /** Drops the incomplete change set: the log continues after it. */
  skip(from: number, to: number): void {
    this.#current.clear();
    if (to >= from) this.#fresh.push({ key: `gap ${from}`, kind: 'gap', from, to });
  }

  /** Newest first. */
  entries(): readonly FeedEntry[] {
    if (this.#fresh.length > 0) {
      this.#entries = newestOf([...this.#fresh.reverse(), ...this.#entries]);
      this.#fresh = [];
      this.#freshChanges = 0;
    } else this.#entries = newestOf(this.#entries);
    return this.#entries;
  }

  /** Changes completed since the last call of `entries`; of very many, the oldest are dropped. */
  get freshChanges(): number {
    if (this.#fresh.length > CHANGES_KEPT) this.#fresh = this.#fresh.slice(-CHANGES_KEPT);
    return this.#freshChanges;
  }

  /** Number of rows that `entries` would add. */
  get freshEntries(): number {
    return this.#fresh.length;
  }

  #add(change: Change): void {
    const isExpiry = change.kind === 'expire';
    const group = isExpiry
      ? `${change.kind} ${change.action} ${change.index} ${change.collection}`
      : `${change.kind} ${change.collection}`;
    const row = this.#current.get(group);
    const item = itemOf(change);
    if (row === undefined) {
      this.#current.set(group, rowOf(change, item));
      return;
    }
    row.count += 1;
    if (row.items.length < ITEMS_A_ROW) row.items.push(item);
    if (isExpiry && row.expiry !== null) row.expiry.lagMs = Math.max(row.expiry.lagMs, change.lagMs);
  }
}

function itemOf(change: Change): FeedItem {
  const { _id, position } = change;
  const due = change.kind === 'expire' ? { deadlineAt: change.deadlineAt, lagMs: change.lagMs } : null;
  return { _id, position, due };
}

function rowOf(change: Change, item: FeedItem): OpenRow {
  const { revision, position, at, kind, collection } = change;
  return {
    key: `${revision}.${position}`,
    revision,
    at,
    kind,
    collection,
    expiry:
      change.kind === 'expire'
        ? { index: change.index, action: change.action, pass: change.pass, lagMs: change.lagMs }
        : null,
    count: 1,
    items: [item],
  };
}

/** Returns the newest rows that together name at most `CHANGES_KEPT` documents. */
function newestOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  let kept = 0;
  for (const [index, entry] of entries.entries()) {
    kept += entry.kind === 'gap' ? 1 : entry.items.length;
    if (kept > CHANGES_KEPT && index > 0) return entries.slice(0, index);
  }
  return entries;
}
