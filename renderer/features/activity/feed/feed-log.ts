import type { ChangeEvent } from '../../../../shared/contract/events.ts';

export type Change = Exclude<ChangeEvent, { kind: 'end' }>;

/** One document of a row, as far as the feed remembers it. */
export interface FeedItem {
  _id: string;
  position: number;
  /** Of an expiry. */
  due: { deadlineAt: number; lagMs: number } | null;
}

/** What one change set did of one kind to one collection: a row, however many documents it was. */
export interface FeedRow {
  /** `revision.position` of its first change. */
  key: string;
  revision: number;
  at: number;
  kind: Change['kind'];
  collection: string;
  /** Of an expiry: the rule, what it did, its pass and the longest lag. */
  expiry: {
    index: string;
    action: 'delete' | 'patch' | 'replace' | 'move';
    pass: number;
    lagMs: number;
  } | null;
  /** Exact; `items` holds the first of them. */
  count: number;
  items: readonly FeedItem[];
}

/** Revisions that went by unread, between the rows around it. */
export interface FeedGap {
  key: string;
  kind: 'gap';
  /** Inclusive. */
  from: number;
  to: number;
}

export type FeedEntry = FeedRow | FeedGap;

/** A row names so many of its documents; the ledger and the collection have them all. */
export const ITEMS_A_ROW = 100;
/** So many changes are remembered in all. */
export const CHANGES_KEPT = 2_000;

type Growing = FeedRow & { items: FeedItem[] };

/**
 * The newest changes, grouped, in bounded memory: ten thousand expiries of one change set are one row. A change set
 * shows when its last change is told, never in parts [V4].
 */
export class FeedLog {
  readonly #matches: (change: Change) => boolean;
  /** Newest first. */
  #entries: readonly FeedEntry[] = [];
  /** Of the change set that is being told, in order. */
  #current = new Map<string, Growing>();
  /** Ended since the last look, oldest first. */
  #fresh: FeedEntry[] = [];
  #freshChanges = 0;

  constructor(matches: (change: Change) => boolean) {
    this.#matches = matches;
  }

  /** The next event of the log; a change set that is over counts its changes into the answer. */
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

  /** What was begun is given up: the log goes on behind it. */
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

  /** Changes that ended since `entries` was last asked for; with many of them the oldest are let go of. */
  get freshChanges(): number {
    if (this.#fresh.length > CHANGES_KEPT) this.#fresh = this.#fresh.slice(-CHANGES_KEPT);
    return this.#freshChanges;
  }

  /** Rows that `entries` would add. */
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
      this.#current.set(group, begunBy(change, item));
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

function begunBy(change: Change, item: FeedItem): Growing {
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

/** As many of the newest as hold `CHANGES_KEPT` named documents. */
function newestOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  let kept = 0;
  for (const [index, entry] of entries.entries()) {
    kept += entry.kind === 'gap' ? 1 : entry.items.length;
    if (kept > CHANGES_KEPT && index > 0) return entries.slice(0, index);
  }
  return entries;
}
