import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { type Leader, leaderOverContract } from '../../../../electron/engine/replication/leader.ts';
import { READING_RULES_VERSION } from '../../../../shared/model/reading-rules.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { clientOf } from '../../../support/client.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { asOfOtherRules } from '../../../support/other-reading-rules.ts';
import { disagreements } from '../../../support/recount.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/** A leader that answers at once, since its clock stands still and no wait on it would end. */
function promptly({ client }: TestEngine): Leader {
  const leader = leaderOverContract(client.replication);
  return { ...leader, log: (follower, at, _waitMs, signal) => leader.log(follower, at, 0, signal) };
}

/** A follower of `leader` whose own clock is wrong by days and stands still unless the test moves it. */
function openFollower(leader: Leader, storeFile = temporaryStoreFile()) {
  const clock = createManualClock(NOON - 3 * DAY);
  const { engine, stop } = openEngine({
    storeFile,
    clock,
    log: createLogger('silent', clock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
    follow: { leader, url: 'http://leader.test/', syncTimeoutMs: 10 * SECOND },
  });
  const { client, close } = clientOf({
    engine,
    caller: { user: 'ada', permission: 'read', from: 'machine' },
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    close();
    stopped ??= stop();
    return stopped;
  };
  onTestFinished(stopOnce);
  return { clock, client, leaderStatus: engine.leaderStatus, stop: stopOnce };
}

const heard = (follower: ReturnType<typeof openFollower>) =>
  expect.poll(() => follower.leaderStatus?.isStale, { timeout: 10_000 }).toBe(false);

describe('a follower', () => {
  it('[D3, V5] reads date formats in the zone of its leader’s index', async () => {
    const leader = openTestEngine();
    await leader.client.collections.create({ name: 'c' });
    const source = {
      kind: 'field' as const,
      field: 'at',
      unit: 'seconds' as const,
      formats: ['dd.MM.yyyy HH:mm'],
      zone: 'America/New_York',
      expireAfter: 60,
    };
    const { name } = await leader.client.ttlIndexes.create({ collection: 'c', source });
    await write(leader.client, 'c', [{ _id: 'a', at: '03.11.2099 01:30' }]);
    await leader.settle();
    const follower = openFollower(promptly(leader));
    await heard(follower);
    const there = await leader.client.documents.get({ collection: 'c', id: 'a' });
    await expect
      .poll(async () => (await follower.client.documents.get({ collection: 'c', id: 'a' })).deadlineAt, {
        timeout: 10_000,
      })
      .toBe(there.deadlineAt);
    expect(there.deadlineAt).toBe(Date.parse('2099-11-03T06:31:00Z'));
    expect((await follower.client.ttlIndexes.get({ collection: 'c', index: name })).source).toEqual(source);
  });

  it('[V5] hides documents due by its leader’s clock, which differs from its own by days', async () => {
    const leader = openTestEngine();
    await leader.client.reaper.pause({});
    await leader.client.collections.create({ name: 'c' });
    await leader.client.documents.put({ params: { collection: 'c', id: 'a' }, body: { n: 1 } });
    await leader.client.documents.setExpiration({ params: { collection: 'c', id: 'a' }, body: { after: 5 } });
    const follower = openFollower(promptly(leader));
    await heard(follower);
    const shown = async () => (await follower.client.documents.list({ collection: 'c' })).documents.length;
    expect(await shown()).toBe(1);
    // Deadlines are judged by the leader's time, not by the follower's own clock.
    follower.clock.set(NOON + 300 * DAY);
    expect(await shown()).toBe(1);
    leader.clock.advance(5 * SECOND);
    await expect.poll(shown, { timeout: 10_000 }).toBe(0);
  });

  it('[V5, R1] reports the same tick as its leader for documents that were due on arrival', async () => {
    const leader = openTestEngine();
    await leader.client.collections.create({ name: 'c' });
    const schedule = { mode: 'every' as const, everyMs: HOUR };
    await leader.client.ttlIndexes.create({ collection: 'c', name: 'hourly', source: on('exp'), schedule });
    await leader.settle();
    const follower = openFollower(promptly(leader));
    await leader.advance(2.5 * HOUR);
    // The document was written after the ticks of both hours: only the next one acts on it.
    await write(leader.client, 'c', [{ _id: 'late', exp: NOON + SECOND }]);
    await heard(follower);
    const reported = async ({ client }: Pick<TestEngine, 'client'>) => ({
      actionDueAt: (await client.collections.list())[0]?.actionDueAt,
      waitsFor: (await client.documents.explain({ collection: 'c', id: 'late' })).waitsFor,
    });
    const expected = { actionDueAt: NOON + 3 * HOUR, waitsFor: 'schedule' };
    expect(await reported(leader)).toEqual(expected);
    await expect.poll(() => reported(follower), { timeout: 10_000 }).toEqual(expected);
  });

  it('[V5] is stale at once if its machine was suspended for longer than the timeout', async () => {
    const leader = openTestEngine();
    let isReachable = true;
    const { log, ...rest } = promptly(leader);
    const line: Leader = {
      ...rest,
      log: (...args) => (isReachable ? log(...args) : Promise.reject(new Error('nobody answers'))),
    };
    const follower = openFollower(line);
    await heard(follower);
    isReachable = false;
    follower.clock.suspend(9 * SECOND);
    expect(follower.leaderStatus?.isStale).toBe(false);
    follower.clock.suspend(60 * SECOND);
    expect(follower.leaderStatus?.isStale).toBe(true);
    await expect(follower.client.collections.list()).rejects.toMatchObject({ code: 'STALE' });
    expect(await follower.client.store.info()).toMatchObject({
      role: 'follower',
      leader: { staleSince: NOON },
    });
  });

  it.runIf(runsHere('a follower on a full disk', NO_SMALL_DISK))(
    '[V5, S1] on a full disk reports that, becomes stale and copies nothing again; with room again it continues where it was',
    async () => {
      const disk = smallDisk(6_000_000);
      const leader = openTestEngine();
      await leader.client.collections.create({ name: 'c' });
      const line = promptly(leader);
      let snapshots = 0;
      const follower = openFollower(
        {
          ...line,
          snapshot: (...args) => {
            snapshots += 1;
            return line.snapshot(...args);
          },
        },
        join(disk.folder, 'f.sandglass'),
      );
      await heard(follower);
      const copied = snapshots;
      disk.fill(64 * 1024);
      const documents = Array.from({ length: 200 }, (_, i) => ({ _id: `d${i}`, text: 'x'.repeat(4_000) }));
      for (let from = 0; from < 200; from += 10)
        await write(leader.client, 'c', documents.slice(from, from + 10));
      const status = () => {
        // Retries are delayed by the machine's clock, longer each time.
        follower.clock.advance(SECOND);
        return follower.leaderStatus?.status;
      };
      await expect.poll(() => status()?.problem, { timeout: 10_000 }).toContain('is full');
      await expect.poll(() => status()?.staleSince, { timeout: 10_000 }).not.toBeNull();
      await expect(follower.client.collections.list()).rejects.toMatchObject({ code: 'STALE' });
      disk.empty();
      await expect.poll(() => status()?.staleSince, { timeout: 10_000 }).toBeNull();
      expect(await follower.client.collections.list()).toMatchObject([{ name: 'c', documents: 200 }]);
      expect(status()).toMatchObject({ problem: null, failedReplay: null });
      expect(snapshots).toBe(copied);
    },
  );

  it('[V5] follows no store other than the first one', async () => {
    const leader = openTestEngine();
    let storeId: string | null = null;
    const { register, ...rest } = promptly(leader);
    const line: Leader = {
      ...rest,
      register: async (...args) => {
        const answer = await register(...args);
        return { ...answer, storeId: storeId ?? answer.storeId };
      },
      log: async (...args) => {
        if (storeId !== null) throw new Error('the line was cut');
        return rest.log(...args);
      },
    };
    const follower = openFollower(line);
    await heard(follower);
    storeId = 'another';
    // Retries are delayed by the machine's clock, longer each time.
    const problem = () => {
      follower.clock.advance(100);
      return follower.leaderStatus?.status.problem;
    };
    await expect.poll(problem, { timeout: 10_000 }).toMatch(/is not the one this file mirrors/);
  });

  const others = READING_RULES_VERSION + 1;
  const rulesLine = `leader has version ${others} of the reading rules`;

  it('[V5] refuses a leader of other reading rules before it copies any document', async () => {
    const leader = openTestEngine();
    await leader.client.collections.create({ name: 'c' });
    const { register, ...rest } = promptly(leader);
    let asked = 0;
    const line: Leader = {
      register: async (...args) => ({ ...(await register(...args)), rules: others }),
      log: (...args) => {
        asked += 1;
        return rest.log(...args);
      },
      snapshot: (...args) => {
        asked += 1;
        return rest.snapshot(...args);
      },
    };
    const follower = openFollower(line);
    await expect.poll(() => follower.leaderStatus?.status.problem, { timeout: 10_000 }).toContain(rulesLine);
    expect(asked).toBe(0);
    await expect(follower.client.collections.list()).rejects.toMatchObject({ code: 'STALE' });
  });

  it('[V5] of other reading rules is refused by its leader, which stores no registration', async () => {
    const leader = openTestEngine();
    for (const rules of [others, undefined]) {
      await expect(
        leader.client.replication.register({ follower: 'x', ...REPLICATION_VERSIONS, rules }),
      ).rejects.toMatchObject({
        code: 'INCOMPATIBLE',
        data: { leader: READING_RULES_VERSION, follower: rules ?? 0 },
      });
    }
    expect(await leader.client.replication.followers()).toEqual([]);
  });

  it('[V5] whose indexes were built by other reading rules copies its leader again', async () => {
    const leader = openTestEngine();
    await leader.client.collections.create({ name: 'c' });
    await leader.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await leader.settle();
    await write(leader.client, 'c', [{ _id: 'a', exp: NOON + HOUR }, { _id: 'b' }]);
    const file = temporaryStoreFile();
    const first = openFollower(promptly(leader), file);
    await heard(first);
    await first.stop();
    asOfOtherRules(file, -DAY);
    const second = openFollower(promptly(leader), file);
    await heard(second);
    expect((await second.client.documents.list({ collection: 'c' })).documents).toHaveLength(2);
    expect(await second.client.ttlIndexes.list({ collection: 'c' })).toMatchObject([
      { state: 'ready', documents: 1, overdue: 0, nextDeadlineAt: NOON + HOUR },
    ]);
    await second.stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[V5] copies its leader again when an entry cannot be applied, reports that, and waits longer each time it fails again', async () => {
    const leader = openTestEngine();
    await leader.client.collections.create({ name: 'c' });
    const { log, snapshot, ...rest } = promptly(leader);
    let isBroken = false;
    let copies = 0;
    const line: Leader = {
      ...rest,
      snapshot: (...args) => {
        copies += 1;
        return snapshot(...args);
      },
      log: async (...args) => {
        const page = await log(...args);
        if (!isBroken) return page;
        await leader.client.documents.write({ params: { collection: 'c' }, query: {}, body: [{}] });
        const entries = page.entries.map(entry => ({
          ...entry,
          put: entry.put.map(document => ({
            ...document,
            quarantined: [{ source: 9, reference: 1, since: 1, problem: 'of no index' }],
          })),
        }));
        return { ...page, entries };
      },
    };
    const follower = openFollower(line);
    await heard(follower);
    expect(copies).toBe(1);
    isBroken = true;
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds * 4; i++) {
        follower.clock.advance(250);
        for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
      }
    };
    await leader.client.documents.write({ params: { collection: 'c' }, query: {}, body: [{}] });
    await pass(60);
    // At once, and then after 1, 2, 4, 8, 16 and 32 s.
    expect(copies).toBeGreaterThan(4);
    expect(copies).toBeLessThan(9);
    expect(follower.leaderStatus?.status).toMatchObject({
      problem: expect.stringMatching(/^Revision \d+ could not be applied: .*copied again/),
      failedReplay: { reason: expect.stringContaining('there is no index with the number 9') },
    });
    isBroken = false;
    await pass(65);
    await heard(follower);
    const count = async ({ client }: { client: TestEngine['client'] }) =>
      (await client.collections.get({ collection: 'c' })).documents;
    expect(await count(follower)).toBe(await count(leader));
    expect((await follower.client.store.info()).leader).toMatchObject({
      problem: null,
      failedReplay: { reason: expect.stringContaining('could not be applied') },
    });
  });

  it('[V5] copies its leader again if other documents expired at once there', async () => {
    const leader = openTestEngine({ intervalFrom: 2 });
    await leader.client.collections.create({ name: 'c' });
    await leader.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await leader.settle();
    const { log, ...rest } = promptly(leader);
    let changes = { documents: 3 };
    const line: Leader = {
      ...rest,
      log: async (...args) => {
        const page = await log(...args);
        const entries = page.entries.map(entry => ({
          ...entry,
          interval: entry.interval && { ...entry.interval, ...changes },
        }));
        return { ...page, entries };
      },
    };
    const follower = openFollower(line);
    await heard(follower);
    const expireTwo = async () => {
      const exp = leader.clock.now() + SECOND;
      await write(leader.client, 'c', [{ exp }, { exp }, { exp: exp + HOUR }]);
      await leader.advance(SECOND);
    };
    await expireTwo();
    await expect
      .poll(() => follower.leaderStatus?.status.failedReplay?.reason, { timeout: 10_000 })
      .toContain('has 2 documents that expire at once, and not 3');
    await heard(follower);
    changes = { documents: 2 };
    await expireTwo();
    const { revision } = leader.engine.backend;
    const kinds = async () => {
      const { events } = await follower.client.events.read({ from: String(revision) });
      return events.map(({ event }) => event.kind);
    };
    await expect.poll(kinds, { timeout: 10_000 }).toEqual(['expire', 'expire', 'end']);
    expect((await follower.client.collections.get({ collection: 'c' })).documents).toBe(2);
  });
});
