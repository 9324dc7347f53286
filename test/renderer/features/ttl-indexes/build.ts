import type { ReaperState } from '../../../../shared/contract/reaper.ts';
import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';

/** A collection of 1,000, a tenth of it due at once. */
export const aPreview = (change: Partial<Preview> = {}): Preview => ({
  revision: 1,
  at: 0,
  kind: 'create',
  documents: 1000,
  dueAtOnce: 100,
  nextHour: 0,
  nextDay: 200,
  nextWeek: 0,
  later: 600,
  never: { count: 100, reasons: [{ reason: 'wrong unit suspected', count: 100, examples: ['a'] }] },
  bytes: { dueAtOnce: 1, nextHour: 0, nextDay: 2, nextWeek: 0, later: 6, never: 1 },
  drainMs: 10,
  nextDeadlineAt: null,
  forecast: { bucketMs: 1, due: [] },
  samples: [],
  elapsedMs: 1,
  ...change,
});

export const anIndex = (change: Partial<TtlIndex> = {}): TtlIndex => ({
  name: 'ts_90d',
  collection: 'logs',
  source: { kind: 'field', field: 'ts', unit: 'milliseconds', expireAfter: 7_776_000 },
  onExpire: { action: 'delete' },
  schedule: { mode: 'every', everyMs: 90_000 },
  limits: {},
  retention: null,
  state: 'ready',
  pending: null,
  job: null,
  paused: null,
  createdAt: 0,
  createdBy: 'maya',
  documents: 10,
  bytes: 10,
  overdue: 0,
  oldestOverdueAt: null,
  passEveryMs: null,
  quarantined: 0,
  dueNextHour: 0,
  nextDeadlineAt: null,
  never: { count: 0, reasons: [] },
  ...change,
});

export const aReaper: ReaperState = {
  state: 'running',
  paused: null,
  pausedCollections: [],
  pausedIndexes: [],
  holds: [],
  nextWakeAt: null,
  active: false,
  problem: null,
  cutoff: null,
  removedPerSecond: 0,
  writtenPerSecond: 0,
  unswept: 0,
};
