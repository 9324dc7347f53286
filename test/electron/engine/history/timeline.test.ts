import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

async function withIndex(startAt = NOON): Promise<TestEngine> {
  const test = openTestEngine({ startAt });
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

function count(at: readonly number[], from: number, to: number): number {
  return at.filter(one => one >= from && one < to).length;
}

describe('the timeline', () => {
  it('[X2] is one exact series across now: past expirations before, future ones after', async () => {
    const test = await withIndex();
    const deadlines = Array.from({ length: 400 }, (_, i) => NOON + 137 * (i + 1));
    await write(
      test.client,
      'c',
      deadlines.map((exp, i) => ({ _id: String(i), exp })),
    );
    await test.advance(27_400);
    const now = test.clock.now();
    const answer = await test.client.timeline.get({
      collection: 'c',
      from: NOON,
      to: NOON + MINUTE,
      buckets: 60,
    });
    for (const bucket of answer.buckets) {
      expect(bucket.expired + bucket.due).toBe(count(deadlines, bucket.fromAt, bucket.toAt));
      expect(bucket.due).toBe(
        count(
          deadlines.filter(at => at > now),
          bucket.fromAt,
          bucket.toAt,
        ),
      );
    }
    expect(answer).toMatchObject({
      now,
      overdue: 0,
      oldestOverdueAt: null,
      nextDeadlineAt: NOON + 137 * 201,
    });
    expect(answer.latestAt).toBe(NOON + 137 * 400);
    expect(answer.earliestAt).toBeLessThanOrEqual(NOON + 137);
  });

  it('[X2] forecasts exactly at every zoom, in buckets of any width and alignment', async () => {
    const test = await withIndex();
    const offsets = fc.sample(
      fc.oneof(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 3 * HOUR }),
        fc.integer({ min: 1, max: 400 * DAY }),
        fc.integer({ min: 1, max: 50 }).map(n => n * DAY),
      ),
      { numRuns: 600, seed: 7 },
    );
    const deadlines = offsets.map(ms => NOON + ms);
    await write(
      test.client,
      'c',
      deadlines.map(exp => ({ exp })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: -DAY, max: 400 * DAY }), fc.constantFrom(0, SECOND, -HOUR, DAY)),
        fc.oneof(fc.integer({ min: 1, max: 500 * DAY }), fc.constantFrom(1, SECOND, MINUTE, DAY, 30 * DAY)),
        fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(1, 24, 60, 2_000)),
        async (ahead, span, buckets) => {
          const from = NOON + ahead;
          const answer = await test.client.timeline.get({ collection: 'c', from, to: from + span, buckets });
          expect(answer.buckets).toHaveLength(buckets);
          for (const { fromAt, toAt, due } of answer.buckets)
            expect(due).toBe(count(deadlines, fromAt, toAt));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('[X2] is exact with any expireAfter, whole seconds or not, even if reference times lie before it', async () => {
    const test = await withIndex();
    for (const expireAfter of [0.25, 90.5, 86_400, 100 * 365.25 * 86_400]) {
      await test.client.ttlIndexes.update({ collection: 'c', index: 'exp', expireAfter });
      const deadlines = Array.from({ length: 50 }, (_, i) => NOON + 777 * (i + 1));
      const references = deadlines.map(at => at - expireAfter * SECOND).filter(at => at >= 1e11);
      await write(
        test.client,
        'c',
        references.map((exp, i) => ({ _id: String(i), exp })),
        { mode: 'upsert' },
      );
      const expected = references.map(at => at + expireAfter * SECOND);
      const answer = await test.client.timeline.get({
        collection: 'c',
        from: NOON,
        to: NOON + MINUTE,
        buckets: 60,
      });
      for (const { fromAt, toAt, due } of answer.buckets) expect(due).toBe(count(expected, fromAt, toAt));
      await test.client.documents
        .deleteMany({ collection: 'c', ids: references.map((_, i) => String(i)) })
        .catch(() => {});
    }
  });

  it('[X2] keeps expirations for two years, at every zoom', async () => {
    const test = await withIndex();
    const deadlines = [0.5, 30, 300, 3_000, 30_000, 90_000].flatMap(minutes => [
      NOON + minutes * MINUTE,
      NOON + minutes * MINUTE + 7,
    ]);
    await write(
      test.client,
      'c',
      deadlines.map(exp => ({ exp })),
    );
    await test.advance(70 * DAY);
    const now = test.clock.now();
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({ documents: 0 });
    // Wide, narrow, aligned and not: old expirations have lost their second but are still counted.
    for (const [from, to, buckets] of [
      [NOON - DAY, now, 1],
      [NOON - DAY + 1, now + 1, 60],
      [NOON - HOUR, NOON - HOUR + 80 * DAY, 2_000],
      [NOON - 12_345, now + 6_789, 333],
      [NOON - DAY, now, 7],
    ] as const) {
      const answer = await test.client.timeline.get({ collection: 'c', from, to, buckets });
      expect(answer.buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(deadlines.length);
    }
  });

  it('[X2] keeps removals in the log for a day and passes for 90 days, and prunes both at run time', async () => {
    const test = await withIndex();
    const days = [0, 0.5, 3, 3.1, 100, 100.1];
    await write(
      test.client,
      'c',
      days.map((day, i) => ({ _id: String(i), exp: NOON + SECOND + day * DAY })),
    );
    await test.advance(101 * DAY);
    const { expired } = await test.client.metrics.expired({});
    expect(expired.map(({ _id }) => _id)).toEqual(['5', '4']);
    const { passes } = await test.client.reaper.passes({});
    expect(passes.reduce((sum, { removed }) => sum + removed, 0)).toBe(2);
  });

  it('[X2] keeps expiry counts by the second for a day, by the minute for 30, and by the hour', async () => {
    const test = await withIndex();
    await write(
      test.client,
      'c',
      [1, 1.5, 7].map(seconds => ({ exp: NOON + seconds * SECOND })),
    );
    const levels = () => {
      const db = new Sqlite(test.file, { readonly: true });
      const kept = db.prepare<[], number>('SELECT count(*) FROM expiry_counts GROUP BY level').pluck().all();
      db.close();
      return kept;
    };
    // Pruning runs when the reaper wakes up: on this clock, once per step.
    const pass = async (ms: number) => {
      await test.advance(ms);
      await test.advance(MINUTE);
    };
    await pass(23 * HOUR);
    expect(levels()).toEqual([2, 1, 1]);
    await pass(2 * HOUR);
    expect(levels()).toEqual([1, 1]);
    await pass(30 * DAY);
    expect(levels()).toEqual([1]);
  });

  it('[X2] at the edges of its levels counts each removal in its own bucket', async () => {
    const startAt = Date.UTC(2026, 10, 21, 23, 59, 58);
    const test = await withIndex(startAt);
    const midnight = Date.UTC(2026, 10, 22);
    const deadlines = [-1_000, -1, 0, 1, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000].map(
      ms => midnight + ms,
    );
    await write(
      test.client,
      'c',
      deadlines.map(exp => ({ exp })),
    );
    await test.advance(2 * HOUR);
    for (const width of [SECOND, MINUTE, HOUR]) {
      const from = midnight - HOUR;
      const { buckets } = await test.client.timeline.get({
        collection: 'c',
        from,
        to: from + 3 * HOUR,
        buckets: Math.min(2_000, (3 * HOUR) / width),
      });
      for (const { fromAt, toAt, expired } of buckets) {
        if (Number.isInteger((toAt - fromAt) / SECOND)) expect(expired).toBe(count(deadlines, fromAt, toAt));
      }
      expect(buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(deadlines.length);
    }
  });

  it('[X2] never counts deletions by hand', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', exp: NOON + SECOND },
    ]);
    await test.client.documents.delete({ collection: 'c', id: 'a' });
    // Including one that is overdue.
    await test.client.reaper.pause({});
    await test.advance(2 * SECOND);
    await test.client.documents.delete({ collection: 'c', id: 'b' });
    await test.client.reaper.resume({});
    await test.settle();
    const { buckets, overdue } = await test.client.timeline.get({
      collection: 'c',
      from: NOON,
      to: NOON + MINUTE,
      buckets: 1,
    });
    expect(buckets).toMatchObject([{ expired: 0, due: 0 }]);
    expect(overdue).toBe(0);
    expect((await test.client.metrics.get({})).removed).toBe(0);
  });

  it('[X2] lists overdue documents separately, and the names of dropped series', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.ttlIndexes.create({ collection: 'c', name: 'other', source: on('b') });
    await test.settle();
    await write(client, 'c', [
      { exp: NOON + SECOND },
      { b: NOON + SECOND },
      { b: NOON + HOUR },
      { exp: NOON + 2 * HOUR },
    ]);
    await client.reaper.pause({ collection: 'c', index: 'other' });
    await test.advance(MINUTE);
    await test.settle();
    const span = { collection: 'c', from: NOON, to: NOON + 3 * HOUR, buckets: 3 };
    const before = await client.timeline.get(span);
    expect(before).toMatchObject({
      overdue: 1,
      oldestOverdueAt: NOON + SECOND,
      cutoff: NOON + MINUTE,
      recounting: false,
    });
    expect(before.series.find(({ id }) => id === 'other')).toMatchObject({
      overdue: 1,
      paused: { by: 'ada' },
    });
    expect(before.buckets[0]?.byIndex).toEqual({
      exp: { expired: 1, due: 0 },
      other: { expired: 0, due: 1, overdue: 1 },
    });
    await client.ttlIndexes.drop({ collection: 'c', index: 'exp' });
    await test.settle();
    const after = await client.timeline.get(span);
    expect(after.buckets[0]?.byIndex.exp).toEqual({ expired: 1, due: 0 });
    expect(after.buckets[2]).toMatchObject({ due: 0 });
    const whole = await client.timeline.get({ from: NOON, to: NOON + 3 * HOUR, buckets: 3 });
    expect(whole.buckets[0]?.byIndex.c).toEqual({ expired: 1, due: 1, overdue: 1 });
  });

  it('[X2] counts overdue documents separately in the bucket of now, also beside older ones', async () => {
    const test = await withIndex();
    await test.client.reaper.pause({});
    await write(test.client, 'c', [
      ...[-3 * HOUR, -2, -1, 0].map(ahead => ({ exp: NOON + 30 * MINUTE + ahead })),
      ...[1, 2, MINUTE].map(ahead => ({ exp: NOON + 30 * MINUTE + ahead })),
      { exp: NOON + 2 * HOUR },
    ]);
    await test.advance(30 * MINUTE);
    const { buckets, overdue, now } = await test.client.timeline.get({
      collection: 'c',
      from: NOON - HOUR,
      to: NOON + 3 * HOUR,
      buckets: 4,
    });
    expect(now).toBe(NOON + 30 * MINUTE);
    expect(overdue).toBe(4);
    expect(buckets.map(({ byIndex }) => byIndex.exp)).toEqual([
      undefined,
      { expired: 0, due: 6, overdue: 3 },
      undefined,
      { expired: 0, due: 1 },
    ]);
  });

  it('[X2] marks a second with many expirations as one cliff', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [
      ...Array.from({ length: 200 }, () => ({ exp: NOON + 10 * MINUTE })),
      ...Array.from({ length: 40 }, (_, i) => ({ exp: NOON + i * MINUTE + 1 })),
    ]);
    const { cliffs } = await test.client.timeline.get({
      collection: 'c',
      from: NOON,
      to: NOON + HOUR,
      buckets: 60,
    });
    expect(cliffs).toMatchObject([{ at: NOON + 10 * MINUTE, series: 'exp' }]);
  });

  it('[X2] counts a cliff at its own second at every zoom, and finds none in an even stream', async () => {
    const test = await withIndex();
    const at = NOON + 2 * HOUR + 5 * MINUTE;
    await write(test.client, 'c', [
      ...Array.from({ length: 300 }, () => ({ exp: at })),
      ...Array.from({ length: 3_600 }, (_, i) => ({ exp: NOON + 10 * HOUR + i * 1_000 })),
    ]);
    for (const [span, buckets] of [
      [3 * HOUR, 60],
      [DAY, 144],
      [30 * DAY, 120],
      [300 * DAY, 150],
    ] as const) {
      const { cliffs } = await test.client.timeline.get({
        collection: 'c',
        from: NOON,
        to: NOON + span,
        buckets,
      });
      expect(cliffs).toEqual(span === 300 * DAY ? [] : [{ at, count: 300, series: 'exp' }]);
    }
  });

  it('[X2] refuses an empty span', async () => {
    const test = await withIndex();
    const backwards = test.client.timeline.get({ collection: 'c', from: NOON, to: NOON, buckets: 1 });
    expect((await refusal(backwards)).code).toBe('BAD_REQUEST');
  });
});
