import { describe, expect, it } from 'vitest';
import { openForReading } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { on, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';

async function withIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

/** Advances minute by minute; each one is written before the next ends. */
async function minutes(test: TestEngine, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await test.advance(MINUTE);
}

const all = { from: 0, to: NOON + 1_000 * HOUR };

function storedMinutes(file: string): unknown {
  const db = openForReading(file);
  const rows = db.prepare('SELECT count(*) FROM metric_series').pluck().get();
  db.close();
  return rows;
}

describe('the figures by the minute', () => {
  it('[M1] have the events of each minute and the state at its end, of a collection and of all', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.collections.create({ name: 'other' });
    await write(client, 'other', [{}, {}]);
    await write(client, 'c', [
      { exp: NOON + 90 * SECOND },
      { exp: NOON + 91 * SECOND },
      { exp: NOON + HOUR },
    ]);
    await minutes(test, 3);
    const ofC = await client.metrics.series({ collection: 'c', ...all });
    expect(ofC).toMatchObject([
      { at: NOON, documents: 3, withDeadline: 3, written: 3, removed: 0, lagMaxMs: null, batchMaxMs: null },
      { at: NOON + MINUTE, documents: 1, withDeadline: 1, written: 0, removed: 2, overdue: 0 },
      { at: NOON + 2 * MINUTE, documents: 1, removed: 0 },
      // The running minute.
      { at: NOON + 3 * MINUTE, documents: 1, written: 0 },
    ]);
    expect(ofC[1]).toMatchObject({ lagP50Ms: 1, lagP99Ms: 1, lagMaxMs: 1, batchMaxMs: expect.any(Number) });
    expect(await client.metrics.series(all)).toMatchObject([
      { at: NOON, documents: 5, written: 5 },
      { documents: 3, removed: 2 },
      { documents: 3 },
      { documents: 3 },
    ]);
  });

  it('[M1] contain overdue documents during a pause', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{ exp: NOON + 10 * SECOND }, { exp: NOON + 70 * SECOND }]);
    await test.client.reaper.pause({});
    await minutes(test, 2);
    expect(
      (await test.client.metrics.series({ collection: 'c', ...all })).map(({ overdue }) => overdue),
    ).toEqual([1, 2, 2]);
  });

  it('[M1] contain the running minute so far', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{}]);
    await test.advance(20 * SECOND);
    await write(test.client, 'c', [{}, { exp: NOON + 21 * SECOND }]);
    await test.advance(5 * SECOND);
    expect(await test.client.metrics.series({ collection: 'c', ...all })).toMatchObject([
      { at: NOON, documents: 2, written: 3, removed: 1 },
    ]);
    expect(storedMinutes(test.file)).toBe(0);
  });

  it('[M1] survive a restart, and a gap stays a gap', async () => {
    const before = await withIndex();
    await write(before.client, 'c', [{ exp: NOON + 70 * SECOND }, {}]);
    await minutes(before, 2);
    const after = await before.reopen(HOUR);
    await minutes(after, 2);
    const points = await after.client.metrics.series({ collection: 'c', ...all });
    expect(points.map(({ at }) => (at - NOON) / MINUTE)).toEqual([0, 1, 2, 62, 63, 64]);
    expect(points.map(({ removed }) => removed)).toEqual([0, 1, 0, 0, 0, 0]);
    expect(points.map(({ documents }) => documents)).toEqual([2, 1, 1, 1, 1, 1]);
  });

  it('[M1] of a minute with a restart are one point', async () => {
    const before = await withIndex();
    await write(before.client, 'c', [{}, {}]);
    const after = await before.reopen(10 * SECOND);
    await write(after.client, 'c', [{}]);
    expect(await after.client.metrics.series({ collection: 'c', ...all })).toMatchObject([
      { at: NOON, documents: 3, written: 3 },
    ]);
    await minutes(after, 1);
    const again = await after.reopen(SECOND);
    expect((await again.client.metrics.series({ collection: 'c', ...all }))[0]).toMatchObject({
      at: NOON,
      documents: 3,
      written: 3,
    });
  });

  it('[M1] have no point for a time in which the machine was suspended', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{}]);
    await minutes(test, 1);
    // Timers stand still: the one of this minute fires 50 minutes late, which does not count as a clock jump [R10].
    test.clock.set(NOON + 50 * MINUTE);
    await minutes(test, 2);
    const at = (await test.client.metrics.series({ collection: 'c', ...all })).map(
      point => (point.at - NOON) / MINUTE,
    );
    expect(at.filter(minute => minute > 1 && minute < 50)).toEqual([]);
    expect(at.slice(0, 2)).toEqual([0, 1]);
  });

  it('[M1] are kept for 25 hours, and create no revision', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [{}]);
    const { revision } = test.engine.backend;
    await minutes(test, 27 * 60);
    expect(test.engine.backend.revision).toBe(revision);
    const points = await test.client.metrics.series({ collection: 'c', ...all });
    const span = ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)) / HOUR;
    expect(span).toBeGreaterThan(24);
    expect(span).toBeLessThanOrEqual(26);
    expect(points.length).toBe(span * 60 + 1);
  }, 60_000);

  it('[M1] are read by span, and an unknown collection is refused', async () => {
    const test = await withIndex();
    await minutes(test, 4);
    const some = { collection: 'c', from: NOON + MINUTE, to: NOON + 2 * MINUTE };
    expect((await test.client.metrics.series(some)).map(({ at }) => at)).toEqual([
      NOON + MINUTE,
      NOON + 2 * MINUTE,
    ]);
    await expect(test.client.metrics.series({ ...some, collection: 'nowhere' })).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });
});
