import { describe, expect, it } from 'vitest';
import type { ReapSource } from '../../../../electron/engine/expiry/expiry-store.ts';
import { failureAfter, SourceFailures } from '../../../../electron/engine/expiry/failures.ts';
import { isSkipped } from '../../../../electron/engine/expiry/manual-pass.ts';
import { PassCaps } from '../../../../electron/engine/expiry/pass-caps.ts';
import { batchSizeOf } from '../../../../electron/engine/expiry/rate-limits.ts';
import { TokenBucket } from '../../../../electron/engine/expiry/token-bucket.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

function source(key: string, collectionId: number, options: Partial<ReapSource> = {}): ReapSource {
  return {
    key,
    collection: `c${collectionId}`,
    collectionId,
    index: key,
    schedule: { mode: 'every', everyMs: 1_000 },
    tick: { since: 0, at: 0, state: 'closed' },
    limits: { removalsPerSecond: 0, batchSize: 0, batchMs: 10 },
    isPaused: false,
    pausedAt: null,
    isHeld: false,
    ...options,
  };
}

const a = source('a', 1);
const b = source('b', 1);
const other = source('other', 2, { schedule: { mode: 'exact' } });
const sources = [a, b, other];

describe('[R3] the cap of a pass', () => {
  const caps = { mostPerPass: 10, mostPerPassInTotal: 0 };
  const options = { caps, sources, now: 1_500 };

  it('stops every source of its collection until its next tick', () => {
    const passes = new PassCaps();
    expect(passes.left(a, caps)).toBe(10);
    passes.count(a, 4, options);
    passes.count(b, 5, options);
    expect([passes.left(a, caps), passes.left(b, caps), passes.left(other, caps)]).toEqual([1, 1, 10]);
    expect(passes.blockedUntil(a, 1_500)).toBe(0);
    passes.count(a, 1, options);
    expect(sources.map(each => passes.blockedUntil(each, 1_500))).toEqual([2_000, 2_000, 0]);
    // The next pass counts from 0.
    expect(passes.left(a, caps)).toBe(10);
  });

  it('ends with the pass, and the stop at its time', () => {
    const passes = new PassCaps();
    passes.count(a, 9, options);
    passes.count(other, 3, options);
    passes.endPass(1);
    expect([passes.left(a, caps), passes.left(other, caps)]).toEqual([10, 7]);
    passes.endAllPasses();
    expect(passes.left(other, caps)).toBe(10);
    passes.count(a, 10, options);
    passes.dropExpired(1_999);
    expect(passes.blockedUntil(a, 1_500)).toBe(2_000);
    passes.dropExpired(2_000);
    expect(passes.blockedUntil(a, 2_000)).toBe(0);
  });

  it('that was lowered stops a pass which has done as much already', () => {
    const passes = new PassCaps();
    passes.count(a, 6, options);
    passes.applyLowered(a, { ...options, caps: { ...caps, mostPerPass: 7 } });
    expect(passes.blockedUntil(a, 1_500)).toBe(0);
    passes.applyLowered(a, { ...options, caps: { ...caps, mostPerPass: 5 } });
    expect([passes.blockedUntil(a, 1_500), passes.blockedUntil(other, 1_500)]).toEqual([2_000, 0]);
  });

  it('of all passes stops every source', () => {
    const passes = new PassCaps();
    const inTotal = { mostPerPass: 100, mostPerPassInTotal: 10 };
    passes.count(a, 4, { ...options, caps: inTotal });
    expect(passes.left(other, inTotal)).toBe(6);
    passes.count(other, 6, { ...options, caps: inTotal });
    expect(sources.map(each => passes.blockedUntil(each, 1_500))).toEqual([2_000, 2_000, 2_500]);
    expect([passes.left(a, inTotal), passes.left(other, inTotal)]).toEqual([10, 10]);
    passes.count(a, 3, { ...options, caps: inTotal });
    passes.endAllPasses();
    expect(passes.left(a, inTotal)).toBe(10);
  });

  it('of 0 is none', () => {
    const none = { mostPerPass: 0, mostPerPassInTotal: 0 };
    const passes = new PassCaps();
    passes.count(a, 1e9, { ...options, caps: none });
    expect(passes.left(a, none)).toBe(UNLIMITED);
    expect(passes.blockedUntil(a, 1_500)).toBe(0);
  });
});

describe('[R3] a rate and a batch size', () => {
  it('0 documents are no limit', () => {
    expect(batchSizeOf(a)).toBe(UNLIMITED);
    expect(batchSizeOf(source('a', 1, { limits: { ...a.limits, batchSize: 7 } }))).toBe(7);
  });

  it('a portion is a twentieth of a second, and a fifth of a second may be saved', () => {
    const bucket = new TokenBucket(100, 1_000);
    expect(bucket.available(1_000)).toBe(5);
    bucket.take(5);
    expect([bucket.available(1_000), bucket.waitMs(1_000)]).toEqual([0, 50]);
    expect([bucket.available(1_049), bucket.waitMs(1_049)]).toEqual([0, 1]);
    expect([bucket.available(1_050), bucket.waitMs(1_050)]).toEqual([5, 0]);
    expect(bucket.available(1_060)).toBe(6);
    expect(bucket.available(9_000)).toBe(25);
    // The stopwatch of another thread may be a little behind.
    expect(bucket.available(8_000)).toBe(25);
    bucket.take(25);
    expect(bucket.available(9_000)).toBe(0);
    expect(bucket.waitMs(9_020)).toBe(30);
  });

  it('a slow rate has portions of one document', () => {
    const bucket = new TokenBucket(2, 0);
    expect(bucket.available(0)).toBe(1);
    bucket.take(1);
    expect(bucket.waitMs(0)).toBe(500);
    expect(bucket.available(499)).toBe(0);
    expect(bucket.available(500)).toBe(1);
  });
});

describe('[R4] a failure', () => {
  it('is retried after 1 s, 2 s, … 60 s', () => {
    const first = failureAfter(null, new Error('disk'), 5_000);
    expect(first).toEqual({ message: 'disk', since: 5_000, retryAt: 6_000, retryMs: 1_000 });
    expect(failureAfter(first, 'again', 6_000)).toEqual({
      message: 'again',
      since: 5_000,
      retryAt: 8_000,
      retryMs: 2_000,
    });
    expect(failureAfter({ ...first, retryMs: 32_000 }, 'x', 0).retryMs).toBe(60_000);
  });

  it('is of one source, until it recovers or is dropped', () => {
    const failures = new SourceFailures();
    expect([failures.first, failures.retryAt(a, 0), failures.recovered(a)]).toEqual([null, 0, false]);
    failures.keepOnly([]);
    failures.failed(a, new Error('one'), 0);
    expect(failures.failed(a, new Error('two'), 1_000).retryMs).toBe(2_000);
    failures.failed(other, new Error('three'), 500);
    expect([a, b, other].map(source => failures.retryAt(source, 1_000))).toEqual([3_000, 0, 1_500]);
    expect(failures.first?.message).toBe('two');
    failures.keepOnly([other]);
    expect(failures.retryAt(a, 1_000)).toBe(0);
    failures.keepOnly([other]);
    expect(failures.retryAt(other, 1_000)).toBe(1_500);
    expect(failures.recovered(other)).toBe(true);
    expect(failures.first).toBe(null);
    failures.failed(a, new Error('four'), 0);
    failures.keepOnly([other]);
    expect(failures.first).toBe(null);
  });
});

describe('[R6] a manual pass', () => {
  it.each([
    [null, {}, false],
    ['store', {}, false],
    ['store', { collection: 'c1' }, false],
    ['collection', {}, true],
    ['collection', { collection: 'c1' }, false],
    ['index', {}, true],
    ['index', { collection: 'c1' }, true],
    ['index', { collection: 'c1', index: 'a' }, false],
    ['collection', { collection: 'c1', index: 'a' }, false],
  ] as const)('over a source paused at the %s, of %j: skipped %s', (pausedAt, scope, skipped) => {
    expect(isSkipped(source('a', 1, { pausedAt }), scope)).toBe(skipped);
  });
});
