import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Commit } from '../../../../electron/engine/backends/backend.ts';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { LogCompaction } from '../../../../electron/engine/backends/embedded/replica/log-compaction.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { Writer } from '../../../../electron/engine/backends/embedded/write/writer.ts';
import { nextChanges } from '../../../../electron/engine/feeds/next-changes.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';
import { readLog, short, type WatchedEvent, watch } from '../../../support/watching.ts';

async function withIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

const ids = (events: readonly WatchedEvent[]) => events.map(({ id }) => id);

describe('a watch', () => {
  it('[V2] sends all changes of a revision together, in order, followed by a marker with its own id', async () => {
    const { client } = await withIndex();
    const watching = await watch(client, { collection: 'c' });
    const { revision } = await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
    await client.documents.delete({ collection: 'c', id: 'b' });
    const events = await watching.until(revision + 1);
    expect(events.map(short)).toEqual([
      'insert c/a',
      'insert c/b',
      'insert c/c',
      `end ${revision}`,
      'delete c/b',
      `end ${revision + 1}`,
    ]);
    expect(ids(events)).toEqual([
      ...[0, 1, 2, 3].map(position => `${revision}.${position}`),
      ...[0, 1].map(position => `${revision + 1}.${position}`),
    ]);
    expect(events.map(({ event }) => event.at)).toEqual(events.map(() => NOON));
  });

  it('[V3] begins at any event of any batch, inclusively, and after the last received event', async () => {
    const { client, reopen } = await withIndex();
    const { revision } = await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
    await write(client, 'c', [{ _id: 'd' }]);
    const all = await readLog(client, String(revision));
    expect(ids(all)).toEqual(
      [0, 1, 2, 3, 4, 5].map(i => (i < 4 ? `${revision}.${i}` : `${revision + 1}.${i - 4}`)),
    );
    const again = await reopen(DAY / 2);
    for (const [i, { id }] of all.entries()) {
      const inclusive = await watch(again.client, { from: id });
      expect(await inclusive.take(all.length - i)).toEqual(all.slice(i));
      await inclusive.close();
      if (i === all.length - 1) continue;
      // A browser sends `from` again; the last received event takes precedence over it.
      const resumed = await watch(again.client, { from: '1' }, { lastEventId: id });
      expect(await resumed.take(all.length - i - 1)).toEqual(all.slice(i + 1));
      await resumed.close();
    }
  });

  it('[V3] from a future revision waits for it', async () => {
    const { client, engine } = await withIndex();
    const ahead = engine.backend.revision + 2;
    const watching = await watch(client, { from: `${ahead}.1` });
    await write(client, 'c', [{ _id: 'too early' }]);
    await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }]);
    expect((await watching.take(2)).map(short)).toEqual(['insert c/b', `end ${ahead}`]);
  });

  it('[V3] without a start sends events committed from then on, and no earlier ones', async () => {
    const { client } = await withIndex();
    await write(client, 'c', [{ _id: 'before' }]);
    const watching = await watch(client);
    await write(client, 'c', [{ _id: 'after' }]);
    expect((await watching.take(1)).map(short)).toEqual(['insert c/after']);
  });

  it('[V3] of one collection leaves out other collections and their markers', async () => {
    const { client } = await withIndex();
    await client.collections.create({ name: 'other' });
    const { revision } = await write(client, 'c', [{ _id: 'a' }]);
    await write(client, 'other', [{ _id: 'x' }]);
    await write(client, 'c', [{ _id: 'b' }]);
    const events = await readLog(client, String(revision), { collection: 'c' });
    expect(events.map(short)).toEqual(['insert c/a', `end ${revision}`, 'insert c/b', `end ${revision + 2}`]);
  });

  it('of a collection that never existed is refused', async () => {
    const { client } = await withIndex();
    expect((await refusal(watch(client, { collection: 'no' }))).code).toBe('COLLECTION_NOT_FOUND');
    expect((await refusal(watch(client, {}, { lastEventId: 'x' }))).code).toBe('BAD_REQUEST');
  });

  it('[V4] distinguishes expiries from deletes by hand: index, action, deadline, lag and pass', async () => {
    const { client, advance, engine } = await withIndex();
    await write(client, 'c', [{ _id: 'due', exp: NOON + SECOND }, { _id: 'by hand' }, { _id: 'set' }]);
    await client.documents.setExpiration({
      params: { collection: 'c', id: 'set' },
      body: { at: NOON + 2 * SECOND },
    });
    const from = String(engine.backend.revision + 1);
    await client.documents.delete({ collection: 'c', id: 'by hand' });
    await client.reaper.pause({ collection: 'c', index: 'exp' });
    await advance(MINUTE);
    await client.reaper.resume({ collection: 'c', index: 'exp' });
    await advance(0);
    const events = (await readLog(client, from)).map(({ event }) => event);
    const { passes } = await client.reaper.passes({});
    expect(events.filter(({ kind }) => kind === 'expire' || kind === 'delete')).toEqual([
      expect.objectContaining({ kind: 'delete', _id: 'by hand' }),
      expect.objectContaining({
        kind: 'expire',
        _id: 'set',
        index: 'explicit',
        action: 'delete',
        deadlineAt: NOON + 2 * SECOND,
        lagMs: 0,
        pass: passes.at(-1)?.id,
      }),
      expect.objectContaining({
        kind: 'expire',
        _id: 'due',
        index: 'exp',
        action: 'delete',
        deadlineAt: NOON + SECOND,
        lagMs: MINUTE - SECOND,
        pass: passes[0]?.id,
      }),
    ]);
  });

  it('[C4, V4] has one revision for a write that completes a removal: expiry without a pass, then insert', async () => {
    const { client, clock, engine } = await withIndex();
    await write(client, 'c', [{ _id: 'b', exp: NOON + SECOND }]);
    await client.reaper.pause({});
    clock.advance(MINUTE);
    const from = String(engine.backend.revision + 1);
    await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }]);
    const events = await readLog(client, from);
    expect(events.map(short)).toEqual([
      'insert c/a',
      'expire c/b',
      'insert c/b',
      'insert c/c',
      `end ${from}`,
    ]);
    expect(ids(events)).toEqual([0, 1, 2, 3, 4].map(position => `${from}.${position}`));
    expect(events[1]?.event).toMatchObject({ pass: 0, index: 'exp', lagMs: MINUTE - SECOND });
  });

  it('[V3] sends all events of a dropped collection, with the names of the indexes that acted', async () => {
    const { client, advance, reopen } = await withIndex();
    const { revision } = await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(SECOND);
    await client.collections.drop({ collection: 'c' });
    await advance(MINUTE);
    const again = await reopen();
    const events = await readLog(again.client, String(revision), { collection: 'c' });
    expect(events.map(short)).toEqual([
      'insert c/a',
      `end ${revision}`,
      'expire c/a',
      `end ${revision + 1}`,
      'definition c/c',
      `end ${revision + 2}`,
    ]);
    expect(events[2]?.event).toMatchObject({ index: 'exp' });
  });

  it('[V2] sends no event of a failed transaction, whose revision the next transaction gets', async () => {
    const { client, engine } = await withIndex();
    const watching = await watch(client);
    const refused = await refusal(write(client, 'c', [{ _id: 'a' }, { _id: 7 }], { atomic: true }));
    expect(refused.code).toBe('INVALID_DOCUMENT');
    const { revision } = await write(client, 'c', [{ _id: 'b' }]);
    expect((await watching.until(revision)).map(short)).toEqual(['insert c/b', `end ${revision}`]);
    expect(revision).toBe(engine.backend.revision);
  });

  it('[V3] of a large batch is sent in pages, and resumes in the middle of it', async () => {
    const { client, engine } = await withIndex();
    const from = engine.backend.revision + 1;
    engine.backend.write(
      'c',
      Array.from({ length: 2_500 }, (_, i) => ({ value: { _id: `d${i}` }, line: i })),
      { mode: 'insert', atomic: true },
    );
    const page = await client.events.read({ from: `${from}.1000`, limit: 10 });
    expect(page.events.map(short)).toEqual(Array.from({ length: 10 }, (_, i) => `insert c/d${1_000 + i}`));
    expect(page.next).toBe(`${from}.1010`);
    const all = await readLog(client, String(from), { limit: 499 });
    expect(ids(all)).toEqual(Array.from({ length: 2_501 }, (_, i) => `${from}.${i}`));
  });
});

describe('a page of the log', () => {
  it('[V3] waits for an event for the requested time at most', async () => {
    const { client, clock, engine } = await withIndex();
    const from = String(engine.backend.revision + 1);
    expect(await client.events.read({ from })).toEqual({
      events: [],
      next: `${from}.0`,
      revision: engine.backend.revision,
    });
    const answered = client.events.read({ from, waitMs: 30_000 });
    await write(client, 'c', [{ _id: 'a' }]);
    expect((await answered).events.map(short)).toEqual(['insert c/a', `end ${from}`]);
    const nothing = client.events.read({ waitMs: 30_000 });
    await client.store.info();
    clock.advance(30_000);
    expect((await nothing).events).toEqual([]);
  });

  it('[V3] as text has the same events with their ids, one frame for each, and continues at the same position', async () => {
    const { client, engine } = await withIndex();
    const from = String(engine.backend.revision + 1);
    await write(client, 'c', [{ _id: 'a\n"é😀\u2028' }, { _id: 'b' }, { _id: 'c' }]);
    for (const limit of [2, 10]) {
      const page = await client.events.read({ from, limit });
      const { frames, next } = await client.events.readFrames({ from, limit });
      const events = frames
        .split('\n\n')
        .slice(0, -1)
        .map(frame => /^event: message\nid: ([^\n]+)\ndata: ([^\n]+)$/.exec(frame) ?? [])
        .map(([, id = '', data = '']) => ({ id, event: JSON.parse(data) }));
      expect({ events, next }).toEqual({ events: page.events, next: page.next });
    }
    const { next } = await client.events.read({ from });
    expect(await client.events.readFrames({ from: next })).toEqual({ frames: '', next });
    expect(await refusal(client.events.readFrames({ collection: 'unknown', from }))).toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });
});

describe('a watch at the end of the log', () => {
  it('[V3] misses no commit while it reads', async () => {
    const { engine } = await withIndex();
    const from = { revision: engine.backend.revision + 1, position: 0 };
    const next = nextChanges(engine, { from, limit: 10 }, { waitMs: null });
    // The log has been read, and the answer is not delivered yet.
    engine.backend.put('c', 'a', { _id: 'a' });
    expect((await next).events.map(short)).toEqual(['insert c/a', `end ${from.revision}`]);
  });
});

describe('compaction', () => {
  it('[V3] deletes revisions older than a day; a read before the oldest one is refused with its number', async () => {
    const { client, advance, reopen } = await withIndex();
    const { revision } = await write(client, 'c', [{ _id: 'old', exp: NOON + SECOND }]);
    await advance(20 * HOUR);
    const young = await write(client, 'c', [{ _id: 'young', exp: NOON + 20 * HOUR + SECOND }]);
    await advance(3 * HOUR);
    expect((await readLog(client, String(revision)))[0]?.id).toBe(`${revision}.0`);
    await advance(2 * HOUR);
    const again = await reopen();
    for (const ask of [
      () => again.client.events.read({ from: String(revision) }),
      () => again.client.events.read({ from: '1' }),
      () => watch(again.client, { from: `${young.revision - 1}.5` }),
      () => watch(again.client, {}, { lastEventId: `${revision}.0` }),
    ]) {
      const refused = await refusal(ask());
      expect(refused).toMatchObject({ code: 'REVISION_COMPACTED', data: { oldest: young.revision } });
      expect(refused.message).toContain(`revision ${young.revision}`);
    }
    const events = await readLog(again.client, String(young.revision));
    expect(events.map(short)).toEqual([
      'insert c/young',
      `end ${young.revision}`,
      'expire c/young',
      `end ${young.revision + 1}`,
    ]);
  });

  it('[V3] of all revisions leaves a log that begins with the next revision', async () => {
    const { client, advance, reopen } = await withIndex();
    const { revision } = await write(client, 'c', [{ _id: 'a' }]);
    await advance(2 * DAY);
    const { client: again } = await reopen();
    expect(await refusal(again.events.read({ from: String(revision) }))).toMatchObject({
      data: { oldest: revision + 1 },
    });
    const watching = await watch(again, { from: String(revision + 1) });
    await write(again, 'c', [{ _id: 'b' }]);
    expect((await watching.take(2)).map(short)).toEqual(['insert c/b', `end ${revision + 1}`]);
  });

  it('[V3] ends a watch whose next revision was deleted, with the revision to continue from', async () => {
    const { client, advance } = await withIndex();
    const { revision } = await write(client, 'c', [{ _id: 'a' }]);
    await write(client, 'c', [{ _id: 'b' }]);
    const { next } = await client.events.read({ from: String(revision), limit: 1 });
    await advance(2 * DAY);
    expect(await refusal(client.events.read({ from: next }))).toMatchObject({
      code: 'REVISION_COMPACTED',
      data: { oldest: revision + 2 },
    });
  });

  it('[V3, V4] by a longer age keeps expiries as well, with their index, deadline and pass', async () => {
    const { client, advance, reopen } = await withIndex();
    await client.settings.update({ logSeconds: (3 * DAY) / SECOND, retention: 0 });
    const { revision } = await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    await advance(SECOND);
    const before = await readLog(client, String(revision));
    await advance(2 * DAY);
    const again = await reopen();
    await again.advance(HOUR);
    expect(await readLog(again.client, String(revision))).toEqual(before);
    expect(before[2]?.event).toMatchObject({
      kind: 'expire',
      _id: 'a',
      index: 'exp',
      deadlineAt: NOON + SECOND,
    });
    const { expired } = await again.client.metrics.expired({});
    expect(expired.map(({ _id }) => _id)).toEqual(['a']);
  });

  it('[V3] by the configured size runs while the store is written, under any load', async () => {
    const { client, clock, engine } = await withIndex();
    await client.settings.update({ logBytes: 1024 * 1024 });
    const from = engine.backend.revision + 1;
    const id = 'x'.repeat(400);
    for (let i = 0; i < 200; i++) {
      const documents = Array.from({ length: 50 }, (_, n) => ({ value: { _id: `${id}${n}` }, line: n }));
      engine.backend.write('c', documents, { mode: 'upsert', atomic: false });
      // Pauses between writes are shorter than those of an idle store.
      clock.advance(SECOND);
    }
    await vi.waitFor(async () => {
      const refused = await refusal(client.events.read({ from: String(from) }));
      expect(refused).toMatchObject({ code: 'REVISION_COMPACTED', data: { oldest: expect.any(Number) } });
    });
  });

  it('[V3] by size keeps the newest revisions, and leaves a log without a gap after each step', () => {
    const clock = createManualClock(NOON);
    const file = temporaryStoreFile();
    const store = openEmbeddedStore({ file, clock, reads: 'inline' });
    onTestFinished(() => store.close());
    store.createCollection('c');
    const id = 'x'.repeat(400);
    for (let i = 0; i < 500; i++) {
      const documents = Array.from({ length: 50 }, (_, n) => ({ value: { _id: `${id}${n}` }, line: n }));
      store.write('c', documents, { mode: 'upsert', atomic: false });
    }
    const writer = new Writer(openForWriting(file), clock);
    onTestFinished(() => writer.close());
    const bytes = () =>
      writer.db.prepare<[], number>('SELECT sum(length(changes)) FROM log').pluck().get() ?? 0;
    expect(bytes()).toBeGreaterThan(10_000_000);
    const compaction = new LogCompaction(writer, () => ({ logSeconds: 86_400, logBytes: 2_000_000 }));
    let steps = 0;
    for (let more = true; more; steps++) {
      more = compaction.step();
      const { first, oldest, gaps } = writer.db
        .prepare<[], { first: number; oldest: number; gaps: number }>(
          `SELECT min(revision) AS first, (SELECT value FROM meta WHERE key = 'oldest') AS oldest,
                  max(revision) - min(revision) + 1 - count(*) AS gaps FROM log`,
        )
        .get() ?? { first: 0, oldest: 0, gaps: 1 };
      expect({ first, gaps }).toEqual({ first: oldest, gaps: 0 });
    }
    expect(steps).toBeGreaterThan(1);
    // The revision that exceeds the bound is kept.
    expect(bytes()).toBeLessThan(2_030_000);
    expect(bytes()).toBeGreaterThan(1_970_000);
  });
});

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      collection: fc.constantFrom('c', 'd'),
      ids: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 }),
      after: fc.constantFrom(1, 5, 60, 100_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      ids: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      id: fc.integer({ min: 0, max: 9 }),
      after: fc.constantFrom(1, 30),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(1_000, 7_000, 60_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

async function define({ client, settle }: TestEngine, collection: string): Promise<void> {
  await client.collections.create({ name: collection });
  await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
  await settle();
}

/** Applies the step if possible. Returns the engine for the next step. */
async function perform(test: TestEngine, op: typeof operation extends fc.Arbitrary<infer T> ? T : never) {
  const { client, engine, clock, advance } = test;
  const { backend } = engine;
  if (op.do === 'write') {
    const exp = clock.now() + op.after * SECOND;
    await write(
      client,
      op.collection,
      op.ids.map(id => ({ _id: `${id}`, exp })),
      { mode: 'upsert' },
    );
  } else if (op.do === 'delete') backend.delete('c', op.ids.map(String));
  else if (op.do === 'set') backend.setExpiration('c', [String(op.id)], { after: op.after });
  else if (op.do === 'advance') await advance(op.ms);
  else if (op.do === 'pause') await client.reaper[op.paused ? 'pause' : 'resume']({});
  else if (op.do === 'drop') {
    await client.collections.drop({ collection: 'd' });
    await define(test, 'd');
  } else {
    // Due documents are removed first: an engine that opens with due documents commits before a test can listen.
    await test.settle();
    return test.reopen();
  }
  return test;
}

/** The events that the log must contain for a commit. */
function expected({ revision, at, changes }: Commit): unknown[] {
  return [
    ...changes.map(({ collection, kind, id, index, deadlineAt }, position) => ({
      id: `${revision}.${position}`,
      event: expect.objectContaining({
        revision,
        at,
        position,
        collection,
        kind,
        _id: id,
        ...(kind === 'expire' ? { index, deadlineAt } : {}),
      }),
    })),
    { id: `${revision}.${changes.length}`, event: { kind: 'end', revision, at } },
  ];
}

describe('the change log', () => {
  it('[V2, V3] sends exactly the committed changes, also resumed anywhere, after restarts, in any pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 25 }),
        fc.array(fc.record({ at: fc.nat(), limit: fc.integer({ min: 1, max: 7 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (operations, cuts) => {
          let test = openTestEngine();
          const commits: Commit[] = [];
          test.engine.backend.onCommit(commit => commits.push(commit));
          await define(test, 'c');
          await define(test, 'd');
          for (const op of operations) {
            const next = await perform(test, op);
            if (next !== test) next.engine.backend.onCommit(commit => commits.push(commit));
            test = next;
          }
          const whole = await readLog(test.client, '1');
          expect(whole).toEqual(commits.flatMap(expected));
          for (const collection of ['c', 'd']) {
            const only = whole.filter(({ event }, i) =>
              event.kind !== 'end'
                ? event.collection === collection
                : whole
                    .slice(0, i)
                    .some(
                      other =>
                        other.event.kind !== 'end' &&
                        other.event.collection === collection &&
                        other.event.revision === event.revision,
                    ),
            );
            expect(await readLog(test.client, '1', { collection, limit: cuts[0]?.limit ?? 3 })).toEqual(only);
          }
          test = await test.reopen(HOUR);
          for (const { at, limit } of cuts) {
            const cut = at % whole.length;
            const before = whole.slice(0, cut);
            const resumed = await readLog(test.client, whole[cut]?.id ?? '', { limit });
            expect([...before, ...resumed].slice(0, whole.length)).toEqual(whole);
          }
          await test.stop();
        },
      ),
      { numRuns: Number(process.env.SANDGLASS_RUNS ?? 8) },
    );
  }, 120_000);
});
