import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { type Leader, leaderOverContract } from '../../../../electron/engine/replication/leader.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const URL = 'http://leader.test/';
const SOON = { timeout: 20_000, interval: 5 };

/** A leader that answers at once, since its clock stands still and no wait on it would end. */
function promptly({ client }: TestEngine): Leader {
  const leader = leaderOverContract(client.replication);
  return { ...leader, log: (follower, at, _waitMs, signal) => leader.log(follower, at, 0, signal) };
}

function openFollower(leader: Leader, storeFile = temporaryStoreFile()) {
  const clock = createManualClock(NOON);
  const { engine, stop } = openEngine({
    storeFile,
    clock,
    log: createLogger('silent', clock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
    follow: { leader, url: URL, syncTimeoutMs: 10 * SECOND },
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  onTestFinished(stopOnce);
  const { replica } = engine.backend;
  if (replica === null) throw new Error('a store that follows is a mirror');
  return { name: replica.name, file: storeFile, clock, engine, stop: stopOnce };
}
type OpenFollower = ReturnType<typeof openFollower>;

/** Waits until the follower has every revision of its leader. */
const caughtUp = ({ engine }: OpenFollower, leader: TestEngine) =>
  expect
    .poll(
      () =>
        engine.leaderStatus?.isStale === false && engine.backend.revision === leader.engine.backend.revision,
      SOON,
    )
    .toBe(true);

async function purgeAll(client: Client) {
  return ended(client, await client.expired.purge({}));
}

async function ended(client: Client, { id }: { id: string }) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Returns the ids of all expired documents of a store that are not erased. */
const expiredIn = ({ engine }: Pick<TestEngine, 'engine'>) =>
  engine.backend.expired.find({ collection: null }, { cursor: null, order: 'asc' }).ids;

/** Starts a purge of everything, and cancels it after the first documents were erased. */
async function purgeAPart(leader: TestEngine) {
  const all = expiredIn(leader).length;
  const job = await leader.client.expired.purge({});
  while (expiredIn(leader).length === all) await new Promise(resolve => setImmediate(resolve));
  await leader.client.jobs.cancel({ job: job.id });
  expect(await ended(leader.client, job)).toMatchObject({ state: 'cancelled' });
}

/** Returns the content of a store's files. */
const bytesOf = (file: string) =>
  ['', '-wal', '-shm', '-journal']
    .filter(suffix => existsSync(file + suffix))
    .map(suffix => readFileSync(file + suffix, 'latin1'))
    .join('');

const GONE = /gone-(key|body)/;

/** Documents of which half expire within the second. */
async function openLeader(): Promise<TestEngine> {
  const leader = openTestEngine();
  await leader.client.collections.create({ name: 'c' });
  await leader.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await leader.settle();
  const documents = Array.from({ length: 300 }, (_, i) => [
    { _id: `gone-key-${i}`, exp: NOON + SECOND, text: `gone-body-${i}`.repeat(1 + (i % 40)) },
    { _id: `kept-key-${i}`, text: `kept-body-${i}`.repeat(1 + (i % 40)) },
  ]);
  await write(leader.client, 'c', documents.flat());
  return leader;
}

const latest = async ({ client }: Pick<TestEngine, 'client'>) => (await client.expired.purges({}))[0];

describe('a purge', () => {
  it('[X4, V5] is pending on an offline follower, listed by name, until that one has erased its file', async () => {
    const leader = await openLeader();
    const near = openFollower(promptly(leader));
    const far = openFollower(promptly(leader));
    await caughtUp(near, leader);
    await caughtUp(far, leader);
    await leader.advance(SECOND);
    await caughtUp(near, leader);
    await caughtUp(far, leader);
    await far.stop();
    expect(bytesOf(near.file)).toMatch(GONE);

    const job = await purgeAll(leader.client);
    expect(job).toMatchObject({ state: 'done', done: 300 });
    expect(job.result).toMatch(/pending on/);
    expect(job.result).toContain(far.name);
    await expect
      .poll(() => latest(leader), SOON)
      .toMatchObject({
        erasedAt: NOON + SECOND,
        purgedAt: null,
        followers: expect.arrayContaining([
          { name: near.name, state: 'confirmed', at: NOON + SECOND },
          { name: far.name, state: 'pending', at: NOON + SECOND },
        ]),
        notReached: ['backups', 'exports'],
      });
    expect(bytesOf(near.file)).not.toMatch(GONE);
    expect(bytesOf(near.file)).toContain('kept-body');
    expect(bytesOf(far.file)).toMatch(GONE);

    leader.clock.advance(MINUTE);
    const back = openFollower(promptly(leader), far.file);
    await expect.poll(async () => (await latest(leader))?.purgedAt, SOON).toBe(NOON + SECOND + MINUTE);
    for (const { file } of [leader, near, back]) {
      expect(bytesOf(file)).not.toMatch(GONE);
      expect(bytesOf(file)).toContain('kept-body');
    }
    await caughtUp(back, leader);
    // The answer states that the history begins after the purge.
    await expect(
      back.engine.backend.reads.changes({ from: { revision: 1, position: 0 }, limit: 10 }),
    ).rejects.toMatchObject({ code: 'REVISION_COMPACTED' });
  });

  it('[X4, V5] is repeated by a follower that was killed before it recorded the erasure', async () => {
    const leader = await openLeader();
    const follower = openFollower(promptly(leader));
    await leader.advance(SECOND);
    await caughtUp(follower, leader);
    await follower.stop();
    await purgeAll(leader.client);
    const again = await leader.reopen();
    expect(await latest(again)).toMatchObject({
      purgedAt: null,
      followers: [{ name: follower.name, state: 'pending' }],
    });
    const half = openEmbeddedStore({
      file: follower.file,
      clock: follower.clock,
      reads: 'inline',
      leader: URL,
    });
    while (half.replica?.deleteHistory(again.engine.backend.revision));
    half.purges.rewriteFile();
    await half.close();
    expect((await latest(again))?.purgedAt).toBeNull();
    openFollower(promptly(again), follower.file);
    await expect.poll(async () => (await latest(again))?.purgedAt, SOON).not.toBeNull();
    const { client } = await again.reopen();
    expect(await latest({ client })).toMatchObject({ followers: [{ state: 'confirmed' }] });
  });

  it('[X4, V5] does not include a follower that first registers later, whose file is not rewritten', async () => {
    const leader = await openLeader();
    await leader.advance(SECOND);
    await purgeAll(leader.client);
    const follower = openFollower(promptly(leader));
    let rewritten = 0;
    const { purges, replica } = follower.engine.backend;
    const { rewriteFile } = purges;
    purges.rewriteFile = () => {
      rewritten += 1;
      rewriteFile.call(purges);
    };
    await caughtUp(follower, leader);
    expect(replica?.purged).toBe((await latest(leader))?.id);
    expect(rewritten).toBe(0);
    expect(await latest(leader)).toMatchObject({ purgedAt: NOON + SECOND, followers: [] });
  });

  it('[X4, V5] does not wait for a removed follower, lists it by name, and reaches it when it returns', async () => {
    for (const how of ['by hand', 'by time'] as const) {
      const leader = await openLeader();
      const follower = openFollower(promptly(leader));
      await leader.advance(SECOND);
      await caughtUp(follower, leader);
      await follower.stop();
      await purgeAll(leader.client);
      if (how === 'by hand') await leader.client.replication.forget({ follower: follower.name });
      else {
        leader.clock.advance(2 * DAY);
        while (leader.engine.backend.compactLog());
      }
      const purgedAt = (await latest(leader))?.purgedAt;
      expect(purgedAt).toBeGreaterThanOrEqual(how === 'by hand' ? NOON + SECOND : NOON + DAY);
      expect(await latest(leader)).toMatchObject({
        followers: [{ name: follower.name, state: 'forgotten', at: purgedAt }],
      });
      const back = openFollower(promptly(leader), follower.file);
      await expect
        .poll(async () => (await latest(leader))?.followers, SOON)
        .toMatchObject([{ name: follower.name, state: 'confirmed' }]);
      expect(bytesOf(back.file)).not.toMatch(GONE);
      expect((await latest(leader))?.purgedAt).toBe(purgedAt);
    }
  });

  it('[X4, V5] includes a follower whose first copy was running', async () => {
    const leader = await openLeader();
    let copied = 0;
    const line = promptly(leader);
    const follower = openFollower({
      ...line,
      snapshot: async (name, after, signal) => {
        if (copied++ === 1) {
          await leader.advance(SECOND);
          await purgeAll(leader.client);
        }
        const { snapshot } = leader.client.replication;
        return snapshot({ follower: name, after, limit: 100 }, { signal });
      },
    });
    await expect.poll(async () => (await latest(leader))?.purgedAt ?? null, SOON).not.toBeNull();
    expect(copied).toBeGreaterThan(2);
    expect(await latest(leader)).toMatchObject({ followers: [{ name: follower.name, state: 'confirmed' }] });
    expect(bytesOf(follower.file)).not.toMatch(GONE);
  });

  it('[X4] is confirmed by registered followers only, and only for what it erased', async () => {
    const leader = await openLeader();
    const { replication } = leader.client;
    for (const follower of ['a', 'b']) await replication.register({ follower, ...REPLICATION_VERSIONS });
    await leader.advance(SECOND);
    await purgeAll(leader.client);
    const { purge, revision } = await replication.register({ follower: 'late', ...REPLICATION_VERSIONS });
    const id = purge?.id ?? 0;
    const states = async () => (await latest(leader))?.followers.map(({ state }) => state);
    await replication.log({ follower: 'late', after: revision, purged: id });
    await expect(replication.log({ follower: 'x', after: revision, purged: id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await replication.log({ follower: 'a', after: revision, purged: id - 1 });
    expect(await states()).toEqual(['pending', 'pending']);
    await replication.log({ follower: 'a', after: revision, purged: id + 5 });
    expect(await states()).toEqual(['confirmed', 'pending']);
    await purgeAll(leader.client);
    await replication.log({ follower: 'a', after: leader.engine.backend.revision, purged: id });
    expect(await states()).toEqual(['pending', 'pending', 'pending']);
  });
});

describe('a purge that is running or was cancelled', () => {
  it('[X4, V5] makes a follower that is behind it copy the store again, and never fails with a defect', async () => {
    const leader = await openLeader();
    const { replication } = leader.client;
    const { revision } = await replication.register({ follower: 'behind', ...REPLICATION_VERSIONS });
    const read = () => replication.log({ follower: 'behind', after: revision, purged: 0 });
    await leader.advance(SECOND);
    expect((await read()).entries.flatMap(({ expired }) => expired)).toHaveLength(300);
    const reading = (async () => {
      const codes = new Set<unknown>();
      while (expiredIn(leader).length > 0) {
        await read().catch((error: { code?: unknown }) => codes.add(error.code));
        await new Promise(resolve => setImmediate(resolve));
      }
      return [...codes];
    })();
    await purgeAll(leader.client);
    expect(await reading).toEqual(['REVISION_COMPACTED']);
    expect(leader.complaints).toEqual([]);
  });

  it('[X4, V5] leaves no erased history on any follower', async () => {
    const leader = await openLeader();
    const near = openFollower(promptly(leader));
    const far = openFollower(promptly(leader));
    await caughtUp(far, leader);
    await far.stop();
    await leader.advance(SECOND);
    await caughtUp(near, leader);
    expect(expiredIn(near)).toHaveLength(300);
    await purgeAPart(leader);
    expect(expiredIn(leader)).not.toEqual([]);
    const back = openFollower(promptly(leader), far.file);
    for (const follower of [near, back]) {
      const known = new Set(expiredIn(leader));
      await expect.poll(() => expiredIn(follower).filter(id => !known.has(id)), SOON).toEqual([]);
      await caughtUp(follower, leader);
      expect(follower.engine.leaderStatus?.status.problem).toBeNull();
    }
    // A snapshot does not confirm an erasure.
    expect(await leader.client.expired.purges({})).toEqual([]);

    await purgeAll(leader.client);
    await expect.poll(async () => (await latest(leader))?.purgedAt ?? null, SOON).not.toBeNull();
    expect(await leader.client.expired.purges({})).toHaveLength(1);
    for (const { file } of [leader, near, back]) expect(bytesOf(file)).not.toMatch(GONE);
  });
});
