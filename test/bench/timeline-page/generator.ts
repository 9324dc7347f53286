import type {
  Cliff,
  TimelineAnswer,
  TimelineRange,
} from '../../../renderer/features/timeline/model/timeline-model.ts';

/**
 * A simulated store whose counts are a function of time alone: the same bucket always holds the same documents, and two short
 * buckets together hold as many as the long bucket over them.
 */
export type Situation = 'running' | 'paused' | 'held' | 'off' | 'nothing-due' | 'no-ttl' | 'hot' | 'preview';

export const START = Date.UTC(2026, 10, 21, 14, 32, 38, 250);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Flow {
  id: string;
  label: string;
  /** Documents per second. */
  rate: (at: number) => number;
  pausedSince?: number;
}

const daily = (at: number) => 1 + 0.5 * Math.cos((((at % DAY) / HOUR - 14) / 24) * 2 * Math.PI);

function flowsOf(situation: Situation, store: boolean): Flow[] {
  const until = (end: number, rate: (at: number) => number) => (at: number) =>
    at < START + end ? rate(at) : 0;
  if (situation === 'hot')
    return ['rate_limits', 'sessions', 'locks', 'jobs', 'cache', 'tokens'].map((label, index) => ({
      id: label,
      label,
      rate: () => 10_000 * ([0.4, 0.25, 0.15, 0.1, 0.06, 0.04][index] ?? 0),
    }));
  if (situation === 'preview')
    return [{ id: 'ts_90d', label: 'ts_90d', rate: at => (at > START ? 0.3 * daily(at) : 0) }];
  if (situation === 'no-ttl') return [];
  const end = situation === 'nothing-due' ? 0 : 14 * DAY;
  if (store)
    return [
      {
        id: 'sessions',
        label: 'sessions',
        rate: until(end, at => 4.2 * daily(at) * (at > START + 2 * HOUR ? 0.25 : 1)),
      },
      { id: 'rate_limits', label: 'rate_limits', rate: until(Math.min(end, HOUR), () => 11.6) },
      { id: 'jobs', label: 'jobs', rate: until(end, at => 2.4 * daily(at)) },
      {
        id: 'carts',
        label: 'carts',
        rate: until(Math.min(end, 3 * DAY), () => 0.8),
        pausedSince: START - 6 * MINUTE,
      },
      { id: 'password_resets', label: 'password_resets', rate: until(Math.min(end, DAY), () => 0.1) },
      { id: 'email_outbox', label: 'email_outbox', rate: until(end, () => 0.05) },
    ];
  return [
    { id: 'absolute_14d', label: 'absolute_14d', rate: until(end, at => 0.95 * daily(at)) },
    { id: 'idle_2h', label: 'idle_2h', rate: until(Math.min(end, 2 * HOUR), at => 3.2 * daily(at)) },
    { id: 'explicit', label: 'set by hand', rate: until(end, () => 0.08) },
  ];
}

function cliffsOf(situation: Situation): Cliff[] {
  if (situation === 'no-ttl') return [];
  if (situation === 'preview') return [{ at: Date.UTC(2026, 11, 10, 4), count: 31_900, series: 0 }];
  const all: Cliff[] = [
    {
      at: START - 250 - 11 * MINUTE - 20 * SECOND,
      count: 1_406,
      series: 2,
      cause: 'signed out: tenant northwind',
    },
    { at: START - 250 + 11 * SECOND, count: 184, series: 2, cause: 'signed out: tenant acme' },
    { at: Date.UTC(2026, 10, 21, 14, 50), count: 3_120, series: 0, cause: 'imported 7 Nov 14:50' },
    { at: Date.UTC(2026, 10, 21, 18), count: 48_210, series: 0, cause: 'migrated 7 Nov 18:00' },
    { at: Date.UTC(2026, 10, 21, 9), count: 22_870, series: 0 },
    { at: Date.UTC(2026, 10, 27, 2), count: 91_044, series: 0 },
    { at: Date.UTC(2026, 10, 14, 2), count: 288_310, series: 0 },
  ];
  const scale = situation === 'hot' ? 300 : 1;
  return all
    .filter(cliff => situation !== 'nothing-due' || cliff.at < START)
    .map(cliff => ({ ...cliff, count: cliff.count * scale }));
}

/** Returns a uniform number from 0 to 1 for two integers. */
function chance(seed: number, at: number): number {
  let h =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(at | 0, 0xc2b2ae35) ^
    Math.imul(Math.floor(at / 2 ** 32), 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

const REMEMBERED = new Map<string, number>();

/** Returns the documents of a flow in a second, or in a longer bucket if adding up seconds would take too long. */
function countIn(flow: Flow, seed: number, fromAt: number, toAt: number): number {
  const key = `${flow.id} ${fromAt} ${toAt}`;
  const known = REMEMBERED.get(key);
  if (known !== undefined) return known;
  const length = toAt - fromAt;
  const mean = (flow.rate(fromAt + length / 2) * length) / SECOND;
  const noise = (chance(seed, fromAt) + chance(seed + 17, fromAt) + chance(seed + 31, fromAt) - 1.5) * 2;
  const count = Math.max(0, Math.round(mean + noise * Math.sqrt(mean) - (mean < 0.5 ? 0.3 : 0)));
  REMEMBERED.set(key, count);
  return count;
}

export function stoppedAt(situation: Situation): number | null {
  if (situation === 'paused' || situation === 'off') return START - 12 * MINUTE - 6 * SECOND;
  return situation === 'held' ? START - 96 * SECOND : null;
}

const PASS_EVERY = 2 * SECOND;

export function answerAt(
  now: number,
  range: TimelineRange,
  situation: Situation,
  store: boolean,
): TimelineAnswer {
  const flows = flowsOf(situation, store);
  const cliffs = cliffsOf(situation);
  const { bucketMs } = range;
  const stopped = stoppedAt(situation);
  const every = situation === 'hot' ? 250 : PASS_EVERY;
  const cutoff = stopped ?? now - ((now - START + 1_250) % every) - 60;
  const reapedTo = flows.map(flow => Math.min(cutoff, flow.pausedSince ?? cutoff));
  const buckets = [];
  for (let fromAt = range.from; fromAt < range.to; fromAt += bucketMs) {
    const expired = flows.map(() => 0);
    const due = flows.map(() => 0);
    flows.forEach((flow, series) => {
      const count = countIn(flow, series * 131 + 7, fromAt, fromAt + bucketMs);
      const reaped = reapedTo[series] ?? cutoff;
      const share = Math.min(1, Math.max(0, (reaped - fromAt) / bucketMs));
      const gone = Math.round(count * share);
      expired[series] = gone;
      due[series] = count - gone;
    });
    for (const cliff of cliffs) {
      if (cliff.at < fromAt || cliff.at >= fromAt + bucketMs) continue;
      const side = cliff.at <= (reapedTo[cliff.series] ?? cutoff) ? expired : due;
      side[cliff.series] = (side[cliff.series] ?? 0) + cliff.count;
    }
    if (expired.some(Boolean) || due.some(Boolean)) buckets.push({ fromAt, expired, due });
  }
  const overdue = flows.map((flow, series) => {
    const from = reapedTo[series] ?? cutoff;
    const flowing = Math.round(flow.rate(from) * ((now - from) / SECOND));
    const fallen = cliffs.filter(cliff => cliff.series === series && cliff.at > from && cliff.at <= now);
    return situation === 'preview' ? 0 : flowing + fallen.reduce((sum, cliff) => sum + cliff.count, 0);
  });
  const total = situation === 'preview' ? 412_806 : overdue.reduce((sum, count) => sum + count, 0);
  return {
    now,
    revision: Math.floor(now / SECOND),
    cutoff: situation === 'no-ttl' || situation === 'preview' ? null : cutoff,
    overdue: total,
    oldestOverdueAt: total > 0 && situation !== 'preview' ? Math.min(...reapedTo) : null,
    actionDueAt: total > 0 && situation !== 'preview' ? Math.min(...reapedTo) : null,
    earliestAt: situation === 'no-ttl' ? null : START - 22 * DAY,
    latestAt: situation === 'no-ttl' ? null : START + 20 * DAY,
    recounting: false,
    series: flows.map(({ id, label, pausedSince }, series) => ({
      id,
      label,
      pausedSince: pausedSince ?? null,
      overdue: overdue[series] ?? 0,
    })),
    bucketMs,
    buckets,
    cliffs: cliffs.filter(({ at }) => at >= range.from && at < range.to),
  };
}
