import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../electron/engine/backends/backend.ts';
import { withExpireAfter } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

async function withIndex() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const commits: Commit[] = [];
  test.engine.backend.onCommit(commit => commits.push(commit));
  return { ...test, commits };
}

describe('a change set', () => {
  it('[V2] has one revision for all its changes, a write as well as a batch of the reaper', async () => {
    const { client, commits, advance } = await withIndex();
    const report = await write(client, 'c', [
      { exp: NOON + SECOND },
      { exp: NOON + SECOND },
      { exp: NOON + SECOND },
    ]);
    await advance(SECOND);
    expect(commits.map(({ revision, changes }) => [revision, changes.map(({ kind }) => kind)])).toEqual([
      [report.revision, ['insert', 'insert', 'insert']],
      [report.revision + 1, ['expire', 'expire', 'expire']],
    ]);
    const { expired } = await client.metrics.expired({});
    expect(expired.map(({ revision, position }) => [revision, position])).toEqual(
      [2, 1, 0].map(at => [report.revision + 1, at]),
    );
  });

  it('[V2] without changes has no revision', async () => {
    const { client, commits, engine } = await withIndex();
    await write(client, 'c', [{ _id: 'a' }]);
    const { revision } = engine.backend;
    await write(client, 'c', [{ _id: 'a' }]);
    await client.documents.deleteMany({ collection: 'c', ids: ['no'] });
    await client.documents.setExpirations({ collection: 'c', ids: ['a'], clear: true });
    await client.reaper.resume({});
    expect(engine.backend.revision).toBe(revision);
    expect(commits).toHaveLength(1);
  });

  it('[V2] is reported after it is durable, when another process can already read it', async () => {
    const { client, engine, file } = await withIndex();
    const other = new Sqlite(file, { readonly: true });
    const seen: unknown[] = [];
    engine.backend.onCommit(({ revision }) => {
      seen.push(
        revision - Number(other.prepare(`SELECT value FROM meta WHERE key = 'revision'`).pluck().get()),
      );
    });
    await write(client, 'c', [{ _id: 'a' }]);
    await client.documents.delete({ collection: 'c', id: 'a' });
    expect(seen).toEqual([0, 0]);
    other.close();
  });

  it('[V2] that fails leaves no change in the file or in memory, at whatever step it fails', async () => {
    const { client, engine, clock, commits, file, settle, stop } = await withIndex();
    await client.ttlIndexes.create({ collection: 'c', name: 'b', source: on('b') });
    await settle();
    await write(
      client,
      'c',
      Array.from({ length: 20 }, (_, i) => ({ _id: String(i), exp: NOON + HOUR, b: NOON + DAY })),
    );
    await client.reaper.pause({});
    clock.advance(2 * HOUR);
    const before = {
      summary: await client.collections.get({ collection: 'c' }),
      indexes: await client.ttlIndexes.list({ collection: 'c' }),
      revision: engine.backend.revision,
    };
    commits.length = 0;

    const vandal = new Sqlite(file);
    vandal.exec(
      `CREATE TRIGGER broken BEFORE UPDATE ON meta WHEN new.key = 'revision' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const { backend } = engine;
    const definition = backend.index('c', 'exp');
    const attempts: (() => unknown)[] = [
      () =>
        backend.write(
          'c',
          [
            { value: { _id: 'new' }, line: 1 },
            { value: { _id: '1' }, line: 2 },
          ],
          { mode: 'upsert', atomic: false },
        ),
      () => backend.put('c', '2', { exp: NOON }),
      () => backend.delete('c', ['3']),
      () => backend.setExpiration('c', ['4'], { never: true }),
      () => backend.createCollection('d'),
      () => backend.dropCollection('c', 'ada'),
      () => backend.createIndex('c', { ...definition, name: 'other' }, { by: 'ada' }),
      () =>
        backend.changeIndex(
          'c',
          { ...definition, source: withExpireAfter(definition.source, 5) },
          { by: 'ada' },
        ),
      () => backend.dropIndex('c', 'exp', 'ada'),
      () => backend.setPause({}, null, 'ada'),
      () => backend.setPause({ collection: 'c', index: 'b' }, { by: 'x', since: 1 }, 'x'),
    ];
    for (const attempt of attempts) expect(attempt).toThrow('no');
    await expect(engine.reaper.runNow({ collection: 'c' })).rejects.toThrow('no');
    expect(commits).toEqual([]);
    vandal.exec('DROP TRIGGER broken');
    vandal.close();

    expect({
      summary: await client.collections.get({ collection: 'c' }),
      indexes: await client.ttlIndexes.list({ collection: 'c' }),
      revision: backend.revision,
    }).toEqual(before);
    expect(backend.pauses()).toHaveLength(1);
    expect(backend.collectionNames()).toEqual(['c']);
    expect(backend.unswept()).toBe(0);
    // Later writes work normally.
    expect(await write(client, 'c', [{ _id: 'new', exp: NOON + 3 * HOUR, b: 'no' }])).toMatchObject({
      inserted: 1,
      revision: before.revision + 1,
    });
    await client.reaper.resume({});
    await settle();
    expect(await client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 1,
      withDeadline: 1,
    });
    await stop();
    expect(disagreements(file)).toEqual([]);
  });
});

describe('an explanation', () => {
  it('[X1] states in a sentence which rule gives the deadline', async () => {
    const { client } = await withIndex();
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'age',
      source: on('born', { expireAfter: 86_400 }),
    });
    await write(client, 'c', [{ _id: 'a', exp: NOON + HOUR, born: NOON }]);
    const explained = await client.documents.explain({ collection: 'c', id: 'a' });
    expect(explained).toMatchObject({
      state: 'live',
      deadlineAt: NOON + HOUR,
      deadlineFrom: 'exp',
      waitsFor: null,
    });
    expect(explained.sentence).toMatch(
      /^It is deleted at .*21 Nov 2026 13:00:00.* because exp takes the deadline from exp\.$/,
    );
    expect(explained.candidates.map(({ from, deadlineAt }) => [from, deadlineAt])).toEqual([
      ['exp', NOON + HOUR],
      ['age', NOON + DAY],
    ]);
  });

  for (const [value, reason, words] of [
    [undefined, 'missing field', 'it has no exp'],
    ['soon', 'not a date', 'its exp is text that is not a date'],
    [true, 'wrong type', 'neither a date nor a number'],
    [NOON / 1_000, 'wrong unit suspected', 'does not look like the unit'],
    ['1969-01-01', 'out of range', 'before 1970 or after 9999'],
  ] as const) {
    it(`[X1] gives the reason why there is none: ${reason}`, async () => {
      const { client } = await withIndex();
      await write(client, 'c', [
        { _id: 'a', exp: value },
        { _id: 'b', exp: NOON + DAY },
      ]);
      const explained = await client.documents.explain({ collection: 'c', id: 'a' });
      expect(explained).toMatchObject({
        state: 'never',
        deadlineAt: null,
        candidates: [{ from: 'exp', reason }],
      });
      expect(explained.sentence).toContain(words);
      expect((await client.ttlIndexes.get({ collection: 'c', index: 'exp' })).never).toEqual({
        count: 1,
        reasons: [{ reason, count: 1, examples: ['a'] }],
      });
      const { documents } = await client.documents.list({ collection: 'c', index: 'exp', reason });
      expect(documents.map(({ _id }) => _id)).toEqual(['a']);
    });
  }

  it('[X1] gives the reason why an overdue document waits', async () => {
    const { client, advance } = await withIndex();
    await write(client, 'c', [{ _id: 'a', exp: NOON + SECOND }]);
    for (const [scope, waitsFor] of [
      [{ collection: 'c', index: 'exp' }, 'paused index'],
      [{ collection: 'c' }, 'paused collection'],
      [{}, 'paused store'],
    ] as const) {
      await client.reaper.pause(scope);
      await advance(MINUTE);
      const explained = await client.documents.explain({ collection: 'c', id: 'a' });
      expect(explained).toMatchObject({ state: 'paused', waitsFor });
      expect(explained.sentence).toContain('hidden from reads and still stored');
    }
  });
});
