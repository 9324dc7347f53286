import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import type { LogPlace } from '../../../../shared/model/log-place.ts';
import type { ExpireAction } from '../../../../shared/model/ttl-index.ts';

export interface ChangesQuery {
  /** Inclusive. It may lie ahead of what is committed: then there is nothing yet. */
  from: LogPlace;
  /** Only changes of this collection, and the markers of revisions that have some. */
  collection?: string | undefined;
  /** Most changes of one page; markers come on top. At least 1. */
  limit: number;
}

export interface LoggedEvent {
  /** `revision.position` [V3]. */
  id: string;
  event: ChangeEvent;
}

export interface ChangesPage {
  events: LoggedEvent[];
  /** Where the next page begins. */
  next: LogPlace;
  /** Nothing behind `next` was committed when this was read. */
  isEnd: boolean;
}

/** What was committed, told after it is durable [V2]. */
export interface Commit {
  revision: number;
  at: number;
  collections: ReadonlySet<string>;
  changes: readonly {
    collection: string;
    kind: 'insert' | 'update' | 'delete' | 'expire' | 'expiration' | 'definition';
    id: string;
    /** Of an expiry: which index acted, or `explicit`, how, and how late; pass 0: a write completed it [C4]. */
    index?: string;
    deadlineAt?: number;
    action?: ExpireAction;
    lagMs?: number;
    pass?: number;
  }[];
}
