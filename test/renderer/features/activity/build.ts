import type { FeedPage } from '../../../../renderer/features/activity/feed/feed.ts';
import type { ChangeEvent } from '../../../../shared/contract/events.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';

/** An entry of the expired list; a higher id is later. */
export function entry(id: number, change: Partial<ExpiredEntry> = {}): ExpiredEntry {
  return {
    _id: `d${id}`,
    collection: 'sessions',
    index: 'idle_2h',
    deadlineAt: id * 1_000 - 400,
    removedAt: id * 1_000,
    dueSinceAt: id * 1_000 - 400,
    lagMs: 400,
    revision: id,
    position: 0,
    pass: 1,
    id: String(id),
    action: 'delete',
    restorable: { until: 1e12, bytes: 20 },
    cause: 'expired',
    isRestored: false,
    ...change,
  };
}

export function expiry(
  revision: number,
  position: number,
  change: { _id?: string; index?: string; lagMs?: number } = {},
): ChangeEvent {
  return {
    kind: 'expire',
    revision,
    position,
    at: revision * 1_000,
    collection: 'sessions',
    _id: `d${revision}_${position}`,
    index: 'idle_2h',
    action: 'delete',
    deadlineAt: revision * 1_000,
    lagMs: 100,
    pass: 1,
    ...change,
  };
}

export function write(revision: number, position: number, collection = 'sessions'): ChangeEvent {
  return {
    kind: 'insert',
    revision,
    position,
    at: revision * 1_000,
    collection,
    _id: `w${revision}_${position}`,
  };
}

export function end(revision: number): ChangeEvent {
  return { kind: 'end', revision, at: revision * 1_000 };
}

export function pageOf(events: readonly ChangeEvent[], next: number, revision = next - 1): FeedPage {
  return { events: events.map(event => ({ event })), next: `${next}.0`, revision };
}

export function job(change: Partial<Job> = {}): Job {
  return {
    id: 'j1',
    kind: 'restore',
    collection: '',
    subject: 'chosen documents',
    state: 'done',
    unit: 'documents',
    done: 1,
    total: 1,
    startedAt: 1_000,
    endedAt: 2_000,
    error: null,
    ...change,
  };
}
