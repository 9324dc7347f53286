import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectionOf,
  endOfPrefix,
  findSharedFolder,
  NO_PREFIX,
} from '../../../../../electron/engine/backends/etcd/keys/grouping.ts';
import {
  granted,
  hasMeasurableLag,
  isTooEarlyToExpire,
  measured,
  nextMeasurementAt,
} from '../../../../../electron/engine/backends/etcd/leases/lease.ts';

/** TimeToLive of a lease that ends at `endsAt`, as the server answers it half a round trip after `sentAt`. */
const answer = (endsAt: number, sentAt: number, roundTripMs = 10, grantedSeconds = 60) => ({
  id: '1',
  seconds: Math.floor((endsAt - sentAt - roundTripMs / 2) / 1_000),
  grantedSeconds,
  sentAt,
  receivedAt: sentAt + roundTripMs,
});

describe('the deadline of a lease', () => {
  it('is accurate to one second plus the round trip, since a TTL has whole seconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600_000 }),
        fc.integer({ min: 0, max: 500 }),
        (leftMs, roundTripMs) => {
          const sentAt = 1_000_000;
          const endsAt = sentAt + leftMs + roundTripMs;
          const { deadlineAt } = measured(undefined, answer(endsAt, sentAt, roundTripMs));
          expect(Math.abs(deadlineAt - endsAt)).toBeLessThanOrEqual(501 + roundTripMs / 2);
        },
      ),
    );
  });

  it('stays the same over later measurements, until the lease is kept alive', () => {
    const endsAt = 60_000;
    let lease = granted({ ...answer(endsAt, 0, 0), seconds: 60 });
    expect(lease.deadlineAt).toBe(60_000);
    for (const at of [1_234, 20_000, 40_900, 59_999]) lease = measured(lease, answer(endsAt, at));
    expect(lease).toMatchObject({ deadlineAt: 60_000, measuredAt: 59_999 });
    lease = measured(lease, answer(119_000, 59_999));
    expect(Math.abs(lease.deadlineAt - 119_000)).toBeLessThan(520);
  });

  it('is measured again sooner the nearer it is, at least every minute', () => {
    const lease = (leftMs: number) => ({ id: '1', grantedMs: leftMs, measuredAt: 0, deadlineAt: leftMs });
    expect([600_000, 60_000, 6_000, 500, -5_000].map(leftMs => nextMeasurementAt(lease(leftMs)))).toEqual([
      60_000, 20_000, 2_000, 1_000, 1_000,
    ]);
  });

  it('is not reached long before its estimate, and has a lag only if no keep-alive can have moved it', () => {
    const lease = { id: '1', deadlineAt: 60_000, grantedMs: 30_000, measuredAt: 50_000 };
    expect([10_000, 58_000, 59_000, 61_000].map(at => isTooEarlyToExpire(lease, at))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(hasMeasurableLag(lease, 61_000)).toBe(true);
    expect(hasMeasurableLag(lease, 80_000)).toBe(false);
  });
});

describe('keys of etcd grouped by prefix', () => {
  const folderOf = (keys: readonly string[]) => {
    const sorted = keys.map(key => Buffer.from(key)).sort(Buffer.compare);
    const [first = Buffer.alloc(0)] = sorted;
    return findSharedFolder(first, Buffer.alloc(0), async (from, end) =>
      sorted.some(
        key =>
          Buffer.compare(key, from) >= 0 && (end.equals(Buffer.from([0])) || Buffer.compare(key, end) < 0),
      ),
    );
  };

  it.each([
    [
      ['a/1', 'b/1'],
      ['a', 'b'],
    ],
    [
      ['/registry/pods/x/1', '/registry/nodes/1'],
      ['/registry/pods', '/registry/nodes'],
    ],
    [
      ['/locks/1', '/locks/2'],
      ['/locks', '/locks'],
    ],
    [
      ['/app/jobs/1', '/app/jobs/2'],
      ['/app/jobs', '/app/jobs'],
    ],
    [
      ['plain', '/app/1'],
      [NO_PREFIX, '/app'],
    ],
    [
      ['/app/one', '/app/deep/1'],
      [NO_PREFIX, '/app/deep'],
    ],
  ])('%j are in the collections %j', async (keys, collections) => {
    const folder = await folderOf(keys);
    expect(keys.map(key => collectionOf(Buffer.from(key), folder))).toEqual(collections);
  });

  it('end before the first key without the prefix', () => {
    expect(endOfPrefix(Buffer.from('ab'))).toEqual(Buffer.from('ac'));
    expect(endOfPrefix(Buffer.from([0x61, 0xff, 0xff]))).toEqual(Buffer.from('b'));
    expect(endOfPrefix(Buffer.from([0xff]))).toEqual(Buffer.from([0]));
  });
});
