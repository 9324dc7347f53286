import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import type { LogPosition } from '../../../../shared/model/change-log/log-position.ts';
import type { ExpireAction } from '../../../../shared/model/ttl-index.ts';

export interface ChangesQuery {
  /** Inclusive. If it is later than the last revision, the page is empty. */
  from: LogPosition;
  /** Only changes of this collection, and the markers of revisions that contain some. */
  collection?: string | undefined;
  /** Maximum changes per page, at least 1; markers are not counted. */
  limit: number;
}

export interface LoggedEvent {
  /** `revision.position` [V3]. */
  id: string;
  event: ChangeEvent;
}

export interface ChangesPage {
  events: LoggedEvent[];
  /** Start of the next page. */
  next: LogPosition;
  /** True if nothing after `next` was committed when this was read. */
  isEnd: boolean;
}

/** A commit, reported once it is durable [V2]. */
export interface Commit {
  revision: number;
  at: number;
  collections: ReadonlySet<string>;
  changes: readonly {
    collection: string;
    kind: 'insert' | 'update' | 'delete' | 'expire' | 'expiration' | 'definition';
    id: string;
    /**
     * How many documents of an interval expired, whose `_id`s the log has: `id` is '' then, and there is no single
     * deadline or lag. By default 1.
     */
    documents?: number;
    /** For an expiry: the index that acted, or `explicit`; its action and lag. Pass 0: completed by a write [C4]. */
    index?: string;
    deadlineAt?: number;
    action?: ExpireAction;
    lagMs?: number;
    pass?: number;
  }[];
}
