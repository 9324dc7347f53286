import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openTestEngine, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const CHILD = new URL('../../../support/crash-child.ts', import.meta.url).pathname;

/** Data that a child process reported as durable before it was killed. */
interface Said {
  committed: number;
  removed: string[];
  indexes: string[];
  /** Threads that were started: that of the checkpoints, and no other. */
  threads: number;
}

/** Starts a child and kills it, as a power cut would, `delayMs` after it printed `cue`. */
async function killAfter(
  scenario: string,
  file: string,
  round: number,
  cue: string,
  delayMs: number,
): Promise<Said> {
  const child = spawn(process.execPath, [CHILD, scenario, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: Said = { committed: 0, removed: [], indexes: [], threads: 0 };
  let timer: NodeJS.Timeout | undefined;
  // A child that never prints the cue fails the test instead of blocking it.
  const giveUp = setTimeout(() => child.kill('SIGTERM'), 20_000);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  for await (const line of lines) {
    const [word = '', ...rest] = line.split(' ');
    if (word === 'committed') said.committed = Number(rest[0]);
    if (word === 'removed') said.removed.push(...rest);
    if (word === 'index') said.indexes.push(rest.join(' '));
    if (word === 'thread') said.threads += 1;
    if (word === cue) timer ??= setTimeout(() => child.kill('SIGKILL'), delayMs);
  }
  const [, signal] = await ended;
  clearTimeout(timer);
  clearTimeout(giveUp);
  expect(signal).toBe('SIGKILL');
  return said;
}

async function allIds({ engine }: TestEngine): Promise<Set<string>> {
  const ids = new Set<string>();
  let after: string | undefined;
  do {
    const page = await engine.backend.reads.documents(
      { collection: 'c', limit: 1_000, sort: '_id', order: 'asc', includeExpired: true, after },
      engine.clock.now(),
    );
    for (const { _id } of page.documents) ids.add(_id);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return ids;
}

/** Opens the store that the child left, a moment later, so that the reaper continues. */
async function takeUp(file: string): Promise<TestEngine> {
  const test = openTestEngine({ file, startAt: Date.now() + 2_000 });
  await test.settle();
  expect(test.complaints).toEqual([]);
  return test;
}

/** Returns a random delay on purpose, so that every run kills at other moments. */
const within = (least: number, most: number) => least + Math.random() * (most - least);

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2);

describe('a process killed with SIGKILL', { timeout: 120_000 }, () => {
  it('[C1] in the middle of an import: every acknowledged line is there afterwards', async () => {
    const file = temporaryStoreFile();
    let before = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Every second kill happens while the checkpoint thread begins its first run.
      const cue = round % 2 === 0 ? 'thread' : 'committed';
      const { committed, threads } = await killAfter('import', file, round, cue, within(0, 250));
      if (cue === 'thread') expect(threads).toBe(1);
      const test = await takeUp(file);
      const ids = await allIds(test);
      expect(committed).toBeGreaterThan(0);
      for (let line = 1; line <= committed; line++) {
        if (!ids.has(`${round}-${line}`))
          throw new Error(`line ${line} of ${committed} was acknowledged and is gone`);
      }
      expect(ids.size).toBeGreaterThanOrEqual(before + committed);
      before = ids.size;
      const summary = await test.client.collections.get({ collection: 'c' });
      expect(summary).toMatchObject({
        documents: ids.size,
        withDeadline: ids.size,
        overdue: 0,
        state: 'running',
      });
      expect(
        (await test.client.ttlIndexes.list({ collection: 'c' })).map(({ name, state }) => [name, state]),
      ).toEqual([['exp', 'ready']]);
      await test.stop();
      expect(disagreements(file)).toEqual([]);
    }
  });

  for (const [what, scenario, cue, most] of [
    ['a pass', 'drain', 'removed', 500],
    ['a drain or its sweep', 'sweep', 'draining', 250],
  ] as const) {
    it(`[R1, A1] in the middle of ${what}: no removed document exists again, and the reaper continues`, async () => {
      const file = temporaryStoreFile();
      const removed = new Set<string>();
      let stored = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const said = await killAfter(scenario, file, round, cue, within(0, most));
        for (const id of said.removed) removed.add(id);
        const test = await takeUp(file);
        const ids = await allIds(test);
        for (const id of removed) if (ids.has(id)) throw new Error(`${id} was removed and came back`);
        // Every third acknowledged document of each round is never due and must stay.
        for (let line = 1; line <= said.committed; line += 3) expect(ids.has(`${round}-${line}`)).toBe(true);
        for (const id of stored) expect(ids.has(id)).toBe(true);
        const summary = await test.client.collections.get({ collection: 'c' });
        expect(summary).toMatchObject({ documents: ids.size, overdue: 0, withDeadline: 0 });
        const { buckets } = await test.client.timeline.get({
          collection: 'c',
          from: 0,
          to: (Math.floor(test.clock.now() / 3_600_000) + 1) * 3_600_000,
          buckets: 1,
        });
        expect(buckets[0]?.expired).toBeGreaterThanOrEqual(removed.size);
        const { passes } = await test.client.reaper.passes({ limit: 1_000 });
        expect(passes.reduce((sum, one) => sum + one.removed, 0)).toBe(buckets[0]?.expired);
        for (const id of ids) removed.delete(id);
        stored = ids;
        await test.stop();
        expect(disagreements(file)).toEqual([]);
      }
    });
  }

  it('[D9] in the middle of an index build: the index exists, is completed, and is correct', async () => {
    const file = temporaryStoreFile();
    for (let round = 0; round < ROUNDS; round++) {
      const said = await killAfter('build', file, round, 'index', within(0, 60));
      expect(said.indexes).toEqual([`exp ${round}`]);
      const test = await takeUp(file);
      const indexes = await test.client.ttlIndexes.list({ collection: 'c' });
      expect(indexes.map(({ name, state }) => [name, state])).toContainEqual([`exp ${round}`, 'ready']);
      const ids = await allIds(test);
      const summary = await test.client.collections.get({ collection: 'c' });
      expect(summary).toMatchObject({ documents: ids.size, withDeadline: ids.size, recounting: false });
      for (const { documents } of indexes) expect(documents).toBe(ids.size);
      // At most two, so that every round except the first ends with a recount.
      if (round > 0) await test.client.ttlIndexes.drop({ collection: 'c', index: `exp ${round - 1}` });
      await test.settle();
      await test.stop();
      expect(disagreements(file)).toEqual([]);
    }
  });

  it('[D8] in the middle of a change of its expression: the index uses the new one, and is correct', async () => {
    const file = temporaryStoreFile();
    for (let round = 0; round < ROUNDS; round++) {
      await killAfter('change expression', file, round, 'changed', within(0, 120));
      const test = await takeUp(file);
      const ids = await allIds(test);
      const index = await test.client.ttlIndexes.get({ collection: 'c', index: 'exp' });
      const expression = `doc.exp / 1000 + ${round + 1}`;
      expect(index).toMatchObject({
        state: 'ready',
        source: { kind: 'expression', expression },
        successor: null,
        documents: ids.size,
      });
      const summary = await test.client.collections.get({ collection: 'c' });
      expect(summary).toMatchObject({ documents: ids.size, withDeadline: ids.size, recounting: false });
      await test.stop();
      expect(disagreements(file)).toEqual([]);
    }
  });
});
