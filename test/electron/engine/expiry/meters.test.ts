import { describe, expect, it } from 'vitest';
import { tripsBreaker } from '../../../../electron/engine/expiry/breaker.ts';
import type { PassEnding } from '../../../../electron/engine/expiry/expiry-store.ts';
import { CumulativeBuckets } from '../../../../electron/engine/expiry/meters/cumulative-buckets.ts';
import { LagMeter } from '../../../../electron/engine/expiry/meters/lag-meter.ts';
import { MinuteCounter } from '../../../../electron/engine/expiry/meters/minute-counter.ts';
import { RateMeter } from '../../../../electron/engine/expiry/meters/rate-meter.ts';
import { MeterRegistry } from '../../../../electron/engine/expiry/meters.ts';
import { PassTally } from '../../../../electron/engine/expiry/pass-tally.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

describe('[R8] the circuit breaker', () => {
  const bounds = { breakerShare: 0.5, breakerDocuments: 1_000 };

  it('trips if more than the share and more than the documents would be due', () => {
    expect(tripsBreaker({ due: 1_001, documents: 2_001 }, bounds)).toBe(true);
    expect(tripsBreaker({ due: 1_000, documents: 1_100 }, bounds)).toBe(false);
    expect(tripsBreaker({ due: 1_500, documents: 3_000 }, bounds)).toBe(false);
    expect(tripsBreaker({ due: 1_500, documents: 30_000 }, bounds)).toBe(false);
  });
});

describe('a rate of events', () => {
  it('has a count for each of the last sixty whole seconds, oldest first', () => {
    const meter = new RateMeter();
    meter.add(5, 100 * SECOND + 999);
    meter.add(2, 100 * SECOND);
    meter.add(9, 102 * SECOND);
    expect(meter.total).toBe(16);
    expect(meter.series(102 * SECOND)).toEqual([...Array(58).fill(0), 7, 0]);
    expect(meter.series(103 * SECOND)).toEqual([...Array(57).fill(0), 7, 0, 9]);
    expect(meter.series(160 * SECOND)).toEqual([7, 0, 9, ...Array(57).fill(0)]);
    expect(meter.series(161 * SECOND)).toEqual([0, 9, ...Array(58).fill(0)]);
    expect(meter.series(163 * SECOND)).toEqual(Array(60).fill(0));
    expect(meter.total).toBe(16);
  });

  it('is an average without the current second', () => {
    const meter = new RateMeter();
    meter.add(30, 100 * SECOND);
    expect(meter.perSecond(100 * SECOND)).toBe(0);
    expect(meter.perSecond(101 * SECOND)).toBe(3);
    expect(meter.perSecond(110 * SECOND)).toBe(3);
    expect(meter.perSecond(111 * SECOND)).toBe(0);
    expect(meter.perSecond(111 * SECOND, 20)).toBe(1.5);
    expect(new RateMeter().series(0)).toEqual(Array(60).fill(0));
  });

  it('starts anew after a gap of any length, and counts on if the clock goes back', () => {
    const meter = new RateMeter();
    meter.add(5, 100 * SECOND);
    meter.add(1, 1_000_000 * SECOND);
    expect(meter.series(1_000_001 * SECOND)).toEqual([...Array(59).fill(0), 1]);
    meter.add(3, 999_000 * SECOND);
    expect(meter.series(1_000_001 * SECOND)).toEqual([...Array(59).fill(0), 1]);
    expect(meter.series(1_000_002 * SECOND)).toEqual([...Array(58).fill(0), 1, 3]);
  });
});

describe('[M1] counts by minute', () => {
  it('are kept until they were read, of the last ten minutes', () => {
    const counter = new MinuteCounter();
    counter.add('removed', 0, 0);
    expect(counter.minutes()).toEqual([]);
    counter.add('removed', 2, MINUTE - 1);
    counter.add('written', 3, MINUTE);
    counter.add('written', 4, 2 * MINUTE - 1);
    expect(counter.minutes()).toEqual([0, 1]);
    expect(counter.minute(1)).toEqual({ written: 7, removed: 0, changed: 0, quarantined: 0 });
    expect(counter.minute(9)).toEqual({ written: 0, removed: 0, changed: 0, quarantined: 0 });
    for (let minute = 2; minute <= 9; minute++) counter.add('changed', 1, minute * MINUTE);
    expect(counter.minutes()).toHaveLength(10);
    counter.add('changed', 1, 10 * MINUTE);
    expect(counter.minutes()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    counter.delete(5);
    expect(counter.minutes()).not.toContain(5);
    expect(counter.total).toEqual({ written: 7, removed: 2, changed: 9, quarantined: 0 });
  });
});

describe('[M2] buckets', () => {
  it('count what does not exceed their bound', () => {
    const buckets = new CumulativeBuckets([1, 5, 10]);
    buckets.record(1);
    buckets.record(1.5, 2);
    buckets.record(10, 3);
    buckets.record(11);
    buckets.record(0);
    expect(buckets.cumulative()).toEqual([2, 4, 7]);
    expect(buckets.count).toBe(8);
    expect(buckets.sum).toBe(45);
  });
});

describe('[M1] lags', () => {
  const none = { p50Ms: null, p99Ms: null, maxMs: null, count: 0 };
  const meterOf = (resolutionMs = 1) => new LagMeter({ resolutionMs, boundsMs: [5, 50] });

  it('are distributed since the store was opened', () => {
    const meter = meterOf();
    expect(meter.sinceOpen()).toEqual(none);
    meter.record([], 0);
    expect(meter.sinceOpen()).toEqual(none);
    meter.record([2, 4, 60], 0);
    meter.record([5], 0, 7);
    expect(meter.sinceOpen()).toEqual({ p50Ms: 5, p99Ms: 60, maxMs: 60, count: 10 });
    expect(meter.bounded.cumulative()).toEqual([9, 9]);
    expect(meter.bounded.sum).toBe(101);
  });

  it('below the resolution are 1 of it', () => {
    const meter = meterOf(0.5);
    meter.record([0, 0.1, 3.2], 0);
    expect(meter.sinceOpen()).toEqual({ p50Ms: 0.5, p99Ms: 3, maxMs: 3, count: 3 });
  });

  it('of 0 ms take the resolution in the distribution, and 0 as the maximum of their second', () => {
    const meter = meterOf();
    meter.record([0], 100 * SECOND);
    expect(meter.sinceOpen()).toEqual({ p50Ms: 1, p99Ms: 1, maxMs: 1, count: 1 });
    expect(meter.worst(101 * SECOND)).toEqual(Array(60).fill(0));
    expect(meterOf().worst(MINUTE)).toEqual(Array(60).fill(0));
  });

  it('of the last ten minutes leave older ones out', () => {
    const meter = meterOf();
    for (let minute = 0; minute < 12; minute++) meter.record([minute + 1], minute * MINUTE);
    expect(meter.recent(12 * MINUTE - 1)).toMatchObject({ count: 10, maxMs: 12, p50Ms: 7 });
    meter.record([20], 12 * MINUTE - 1);
    expect(meter.minute(11)).toMatchObject({ count: 2, maxMs: 20 });
    expect(meter.minute(1)).toEqual(none);
    expect(meter.minute(2)).toMatchObject({ count: 1 });
    expect(meter.recent(14 * MINUTE)).toMatchObject({ count: 8 });
    expect(meter.recent(21 * MINUTE)).toEqual(none);
    expect(meter.sinceOpen()).toMatchObject({ count: 13 });
  });

  it('have a maximum for each of the last sixty whole seconds', () => {
    const meter = meterOf();
    meter.record([3, 9, 4], 100 * SECOND);
    meter.record([7], 100 * SECOND + 999);
    meter.record([5], 101 * SECOND);
    expect(meter.worst(101 * SECOND)).toEqual([...Array(59).fill(0), 9]);
    expect(meter.worst(102 * SECOND)).toEqual([...Array(58).fill(0), 9, 5]);
    expect(meter.worst(160 * SECOND)).toEqual([9, 5, ...Array(58).fill(0)]);
    expect(meter.worst(161 * SECOND)).toEqual([5, ...Array(59).fill(0)]);
    meter.record([2], 161 * SECOND);
    expect(meter.worst(162 * SECOND)).toEqual([...Array(59).fill(0), 2]);
    expect(meter.worst(0)).toEqual(Array(60).fill(0));
  });
});

describe('[M2] the bounds of the buckets, in ms', () => {
  // Labels `le` of the exported histograms: queries and alerts name them.
  it('of lags reach from 1 ms to a day, and those of batches from 0.5 ms to a second', () => {
    const { lag, batchMs } = new MeterRegistry().of('c');
    expect(lag.bounded.bounds).toEqual([
      ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
      ...[1, 2, 5, 10, 30, 60, 600, 3_600, 86_400].map(seconds => seconds * SECOND),
    ]);
    expect(batchMs.bounded.bounds).toEqual([0.5, 1, 1.5, 2, 4, 8, 16, 32, 64, 128, 256, SECOND]);
  });
});

describe('the meters of a collection', () => {
  const batch = {
    removed: 3,
    changed: 2,
    quarantined: 1,
    stale: 0,
    lagsMs: [4, 6],
    isDrained: true,
    heldMs: 0.8,
  };
  const none = { written: 0, removed: 0, changed: 0, quarantined: 0 };

  it('count batches, expiries of a server and writes, and so do those of the store', () => {
    const meters = new MeterRegistry();
    meters.batch('c', batch, SECOND);
    meters.batch('c', { ...batch, removed: 0, changed: 0, quarantined: 0 }, SECOND);
    meters.batch('d', { ...batch, removed: 0, changed: 0, removalsPerLag: 5 }, SECOND);
    meters.removed('c', 7, [9], SECOND);
    meters.written('c', 11, SECOND);
    const { lag, batchMs, removed, written, counts } = meters.of('c');
    expect(counts.total).toEqual({ written: 11, removed: 10, changed: 2, quarantined: 1 });
    expect([removed.total, written.total]).toEqual([10, 11]);
    expect(lag.sinceOpen()).toMatchObject({ count: 3, maxMs: 9 });
    expect(batchMs.sinceOpen()).toMatchObject({ count: 1, maxMs: 0.8 });
    expect(meters.of('d').counts.total).toEqual({ ...none, quarantined: 1 });
    expect(meters.of('d').lag.sinceOpen().count).toBe(10);
    expect(meters.store.counts.total).toEqual({ written: 11, removed: 10, changed: 2, quarantined: 2 });
    expect([meters.store.removed.total, meters.store.written.total]).toEqual([10, 11]);
    expect(meters.store.lag.sinceOpen().count).toBe(13);
    expect(meters.store.batchMs.sinceOpen().count).toBe(2);
  });

  it('start at 0 for a later collection of the same name', () => {
    const meters = new MeterRegistry();
    meters.written('c', 1, 0);
    meters.passes.begun(pass('c', 'drained'));
    meters.delete('c');
    expect(meters.of('c').counts.total).toEqual(none);
    expect(meters.store.counts.total.written).toBe(1);
    expect(meters.passes.soFar('c', 0)).toEqual({});
  });
});

function pass(collection: string, ending: PassEnding, { batches = 1, endedAt = 0 } = {}) {
  return { ...newPass({ id: 1, collection, trigger: 'deadline', at: 0 }), ending, batches, endedAt };
}

describe('[M1] the count of passes', () => {
  it('has a pass a minute after its last batch, or when the next one begins', () => {
    const tally = new PassTally();
    const first = pass('c', 'drained', { endedAt: 5 });
    tally.begun(first);
    expect(tally.over('c', MINUTE + 4)).toEqual({});
    expect(tally.soFar('c', MINUTE + 4)).toEqual({ drained: 1 });
    first.ending = 'limit';
    expect(tally.over('c', MINUTE + 5)).toEqual({ limit: 1 });
    expect(tally.soFar('c', MINUTE + 5)).toEqual({ limit: 1 });
    tally.begun(pass('c', 'drained', { endedAt: 2 * MINUTE }));
    tally.begun(pass('c', 'limit', { endedAt: 2 * MINUTE }));
    expect(tally.over('c', 2 * MINUTE)).toEqual({ limit: 1, drained: 1 });
    expect(tally.soFar('c', 2 * MINUTE)).toEqual({ limit: 2, drained: 1 });
  });

  it('has no pass that is still running or has found nothing', () => {
    const tally = new PassTally();
    tally.begun(pass('c', 'stopped'));
    expect(tally.over('c', 10 * MINUTE)).toEqual({});
    expect(tally.soFar('c', 10 * MINUTE)).toEqual({ stopped: 1 });
    tally.begun(pass('d', 'drained', { batches: 0 }));
    expect(tally.soFar('d', 0)).toEqual({});
    expect(tally.over('d', 10 * MINUTE)).toEqual({});
    tally.begun(pass('d', 'error', { batches: 0 }));
    expect(tally.over('d', 10 * MINUTE)).toEqual({ error: 1 });
  });

  it('is of one collection or of the store, which keeps those of a dropped one', () => {
    const tally = new PassTally();
    tally.begun(pass('c', 'drained'));
    tally.begun(pass('d', 'limit'));
    expect(tally.soFar(null, 0)).toEqual({ drained: 1, limit: 1 });
    expect(tally.soFar('d', 0)).toEqual({ limit: 1 });
    expect(tally.over(null, MINUTE)).toEqual({ drained: 1, limit: 1 });
    tally.delete('c');
    expect(tally.over('c', MINUTE)).toEqual({});
    expect(tally.over(null, MINUTE)).toEqual({ drained: 1, limit: 1 });
    // The counts that were returned do not change with later calls.
    const before = tally.soFar(null, MINUTE);
    tally.begun(pass('d', 'limit'));
    tally.soFar(null, MINUTE);
    expect(before).toEqual({ drained: 1, limit: 1 });
  });
});
