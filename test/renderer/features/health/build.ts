import type { Facts } from '../../../../renderer/features/health/findings/finding.ts';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { SeriesPoint } from '../../../../shared/contract/metrics.ts';
import type { Hold } from '../../../../shared/contract/reaper.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';

export const NOW = Date.UTC(2026, 10, 21, 14, 32, 38);
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export function collection(name: string, change: Partial<CollectionSummary> = {}): CollectionSummary {
  return {
    name,
    documents: 1_000,
    bytes: 100_000,
    withDeadline: 1_000,
    pinned: 0,
    overdue: 0,
    oldestOverdueAt: null,
    actionDueAt: null,
    passEveryMs: null,
    quarantined: 0,
    nextDeadlineAt: NOW + DAY,
    nextDeadlineFrom: 'at',
    ttlIndexes: 1,
    state: 'running',
    paused: null,
    holds: [],
    recounting: false,
    createdAt: NOW - 30 * DAY,
    ...change,
  };
}

export function index(change: Partial<TtlIndex> = {}): TtlIndex {
  return {
    name: 'idle_2h',
    collection: 'sessions',
    source: { kind: 'field', field: 'createdAt', unit: 'seconds', expireAfter: 7_200 },
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
    limits: {},
    retention: null,
    state: 'ready',
    pending: null,
    successor: null,
    job: null,
    paused: null,
    createdAt: NOW - 12 * DAY,
    createdBy: 'omar',
    documents: 1_000,
    bytes: 100_000,
    overdue: 0,
    oldestOverdueAt: null,
    actionDueAt: null,
    passEveryMs: null,
    quarantined: 0,
    dueNextHour: 0,
    nextDeadlineAt: NOW + DAY,
    never: { count: 0, reasons: [] },
    ...change,
  };
}

export function never(
  reason: TtlIndex['never']['reasons'][number]['reason'],
  count: number,
  message?: string,
) {
  return { reason, count, examples: ['a'], ...(message !== undefined && { message }) };
}

export function hold(change: Partial<Hold> = {}): Hold {
  return {
    id: 'h1',
    collection: 'sessions',
    cause: 'definition',
    index: 'idle_2h',
    since: NOW - 5 * MINUTE,
    by: 'omar',
    due: 39_000,
    documents: 40_000,
    durationMs: null,
    sentence: 'idle_2h would make 39,000 of 40,000 documents due at once.',
    ...change,
  };
}

export function point(at: number, change: Partial<SeriesPoint> = {}): SeriesPoint {
  return {
    at,
    documents: 1_000,
    withDeadline: 900,
    overdue: 0,
    written: 60,
    removed: 120,
    changed: 0,
    quarantined: 0,
    lagP50Ms: 1,
    lagP99Ms: 2,
    lagMaxMs: 9,
    batchMaxMs: 4,
    ...change,
  };
}

/** Facts of a healthy store, with changes. */
export function facts(change: Partial<Facts> = {}): Facts {
  return {
    now: NOW,
    windowNow: NOW,
    collections: [collection('sessions')],
    reaper: {
      state: 'running',
      paused: null,
      pausedCollections: [],
      pausedIndexes: [],
      holds: [],
      nextWakeAt: null,
      active: false,
      problem: null,
      diskFull: null,
      cutoff: NOW,
      removedPerSecond: 0,
      writtenPerSecond: 0,
      unswept: 0,
    },
    settings: DEFAULT_SETTINGS,
    indexes: new Map([['sessions', [index()]]]),
    cliffs: [],
    earlier: new Map(),
    importedAt: new Map(),
    recent: new Map(),
    acted: new Map([['sessions', { idle_2h: 12 }]]),
    drift: null,
    space: { logBytes: 1_000, retainedBytes: 1_000 },
    ...change,
  };
}
