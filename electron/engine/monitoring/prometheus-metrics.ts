import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ReaperState } from '../../../shared/contract/reaper.ts';
import type { StorageBytes } from '../backends/backend.ts';
import type { CumulativeBuckets } from '../expiry/meters/cumulative-buckets.ts';
import type { Meters } from '../expiry/meters.ts';
import type { PassCounts } from '../expiry/pass-tally.ts';

/**
 * Every metric for Prometheus, without the prefix `sandglass_ttl_` [M2], in base units. docs/metrics.md lists the
 * same, and a test compares the two.
 */
export const PREFIX = 'sandglass_ttl_';

export interface CollectionFigures {
  summary: CollectionSummary;
  meters: Meters;
  passes: PassCounts;
  holds: number;
  /** Seconds; null: no drain was measured yet. */
  timeToDrain: number | null;
  /** Epoch ms. */
  now: number;
}

export interface StoreFigures {
  revision: number;
  bytes: number;
  storage: StorageBytes;
  reaper: ReaperState;
}

/** `value` null: no sample. */
interface Measure<Figures> {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  value(figures: Figures): number | null;
}

/** Metrics with the label `collection`. Counters begin when the store is opened. */
export const OF_COLLECTIONS: readonly Measure<CollectionFigures>[] = [
  {
    name: 'documents',
    type: 'gauge',
    help: 'Documents stored, overdue ones included.',
    value: ({ summary }) => summary.documents,
  },
  {
    name: 'documents_bytes',
    type: 'gauge',
    help: 'Bytes of JSON of the documents stored.',
    value: ({ summary }) => summary.bytes,
  },
  {
    name: 'with_deadline',
    type: 'gauge',
    help: 'Documents that have a deadline.',
    value: ({ summary }) => summary.withDeadline,
  },
  {
    name: 'overdue',
    type: 'gauge',
    help: 'Documents past their deadline on which the reaper has not acted yet.',
    value: ({ summary }) => summary.overdue,
  },
  {
    name: 'oldest_overdue_seconds',
    type: 'gauge',
    help: 'Age of the earliest deadline of an overdue document; 0 if none is overdue.',
    value: ({ summary: { oldestOverdueAt }, now }) =>
      oldestOverdueAt === null ? 0 : (now - oldestOverdueAt) / 1000,
  },
  {
    name: 'quarantined',
    type: 'gauge',
    help: 'Documents left unchanged because the action of an index failed to remove or postpone them.',
    value: ({ summary }) => summary.quarantined,
  },
  {
    name: 'holds',
    type: 'gauge',
    help: 'Unconfirmed holds of this collection.',
    value: ({ holds }) => holds,
  },
  {
    name: 'paused',
    type: 'gauge',
    help: '1 while the collection or the whole store is paused, else 0.',
    value: ({ summary }) => (summary.paused === null ? 0 : 1),
  },
  {
    name: 'time_to_drain_seconds',
    type: 'gauge',
    help: 'Estimated time until nothing is overdue, at the rate last measured and within the limits; absent if no drain was measured and there is no limit.',
    value: ({ timeToDrain }) => timeToDrain,
  },
  {
    name: 'next_deadline_timestamp_seconds',
    type: 'gauge',
    help: 'The next future deadline, in Unix time; absent if there is none.',
    value: ({ summary }) => inSeconds(summary.nextDeadlineAt),
  },
  {
    name: 'written_total',
    type: 'counter',
    help: 'Documents inserted or updated.',
    value: ({ meters }) => meters.counts.total.written,
  },
  {
    name: 'selected_total',
    type: 'counter',
    help: 'Due documents selected by the reaper: expired, changed or quarantined.',
    value: ({ meters: { counts } }) => counts.total.removed + counts.total.changed + counts.total.quarantined,
  },
  {
    name: 'expired_total',
    type: 'counter',
    help: 'Documents deleted or moved away at their deadline.',
    value: ({ meters }) => meters.counts.total.removed,
  },
  {
    name: 'changed_total',
    type: 'counter',
    help: 'Documents patched or replaced at their deadline.',
    value: ({ meters }) => meters.counts.total.changed,
  },
  {
    name: 'quarantined_total',
    type: 'counter',
    help: 'Documents that were put in quarantine.',
    value: ({ meters }) => meters.counts.total.quarantined,
  },
];

/** Metrics without labels. */
export const OF_STORE: readonly Measure<StoreFigures>[] = [
  {
    name: 'revision',
    type: 'gauge',
    help: 'The revision of the store: one number for each committed change set.',
    value: ({ revision }) => revision,
  },
  {
    name: 'store_bytes',
    type: 'gauge',
    help: 'Bytes of the files of the store.',
    value: ({ bytes }) => bytes,
  },
  {
    name: 'log_bytes',
    type: 'gauge',
    help: 'Bytes of the change log.',
    value: ({ storage }) => storage.log,
  },
  {
    name: 'retained_bytes',
    type: 'gauge',
    help: 'Bytes of restorable copies and dropped collections.',
    value: ({ storage }) => storage.retained,
  },
  {
    name: 'unswept',
    type: 'gauge',
    help: 'Documents that are removed for every reader and whose bytes are not freed yet.',
    value: ({ reaper }) => reaper.unswept,
  },
  {
    name: 'disk_full',
    type: 'gauge',
    help: '1 while the store’s disk is full and writes are refused, else 0.',
    value: ({ reaper }) => (reaper.diskFull === null ? 0 : 1),
  },
  {
    name: 'sync_failed',
    type: 'gauge',
    help: '1 while writes are refused because the disk failed to store a part of the store, else 0.',
    value: ({ reaper }) => (reaper.syncFailed === true ? 1 : 0),
  },
  {
    name: 'disk_missing_bytes',
    type: 'gauge',
    help: 'Bytes that have to be freed on the store’s disk before writes are accepted again; 0 while they are accepted.',
    value: ({ reaper: { diskFull } }) =>
      diskFull === null ? 0 : Math.max(0, diskFull.neededBytes - diskFull.freeBytes),
  },
  {
    name: 'store_holds',
    type: 'gauge',
    help: 'Unconfirmed holds of the whole store.',
    value: ({ reaper }) => reaper.holds.filter(({ collection }) => collection === null).length,
  },
  {
    name: 'next_wakeup_timestamp_seconds',
    type: 'gauge',
    help: 'The next scheduled wake-up of the reaper, in Unix time; absent if none is scheduled.',
    value: ({ reaper }) => inSeconds(reaper.nextWakeAt),
  },
];

/** Histograms with the label `collection`. */
export const DURATIONS: readonly {
  name: string;
  help: string;
  /** Durations, ms. */
  of(meters: Meters): CumulativeBuckets;
}[] = [
  {
    name: 'lag_seconds',
    help: 'Lag of actions, from the moment that made the document due.',
    of: ({ lag }) => lag.bounded,
  },
  {
    name: 'batch_duration_seconds',
    help: 'How long batches of the reaper held the writer.',
    of: ({ batchMs }) => batchMs.bounded,
  },
];

export const PASSES = {
  name: 'passes_total',
  help: 'Finished passes, by ending.',
} as const;

export const REAPER_STATE = {
  name: 'reaper_state',
  help: '1 for the state that the reaper is in, 0 for the others.',
  states: ['running', 'paused', 'held', 'failing', 'off'],
} as const satisfies { name: string; help: string; states: readonly ReaperState['state'][] };

function inSeconds(at: number | null): number | null {
  return at === null ? null : at / 1000;
}
