import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { refuseCommits } from '../../../support/refuse-commits.ts';

const NIGHTLY = { mode: 'cron', cron: '0 3 * * *', timeZone: 'UTC' } as const;
/** From noon to the first tick of NIGHTLY. */
const UNTIL_THREE = 15 * HOUR;

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}

/** Opens a store with documents that are due at the tick of the next night. */
async function withNightlyTick(): Promise<TestEngine> {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({
    collection: 'c',
    name: 'exp',
    source: on('exp'),
    schedule: NIGHTLY,
  });
  await test.settle();
  await write(
    test.client,
    'c',
    Array.from({ length: 50 }, () => ({ exp: NOON + SECOND })),
  );
  return test;
}

describe('[R1] a tick whose batch could not be committed', () => {
  it('is tried again soon, and does not wait for the next night', async () => {
    const commits = refuseCommits();
    const test = await withNightlyTick();
    await test.advance(UNTIL_THREE - 1);
    expect(await stored(test)).toBe(50);
    commits.arm();
    await test.advance(1);
    expect([commits.refused, await stored(test)]).toEqual([1, 50]);
    await test.advance(SECOND);
    expect(await stored(test)).toBe(0);
  });

  it('is not stored as done by the next write', async () => {
    const commits = refuseCommits();
    const test = await withNightlyTick();
    await test.advance(UNTIL_THREE - 1);
    commits.arm();
    await test.advance(1);
    expect([commits.refused, await stored(test)]).toEqual([1, 50]);
    await write(test.client, 'c', [{ _id: 'other', exp: NOON + 24 * HOUR }]);
    await test.advance(MINUTE);
    expect(await stored(test)).toBe(1);
  });

  it('and whose first write was refused as well, is done as well', async () => {
    const commits = refuseCommits();
    const test = await withNightlyTick();
    await test.advance(UNTIL_THREE - 1);
    commits.arm();
    await test.advance(1);
    commits.arm();
    await expect(write(test.client, 'c', [{ _id: 'other', exp: NOON + 24 * HOUR }])).rejects.toThrow();
    expect(commits.refused).toBe(2);
    await test.advance(MINUTE);
    expect(await stored(test)).toBe(0);
  });
});
