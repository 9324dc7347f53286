import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import { holdFacts } from '../../../../electron/engine/backends/embedded/file/migrations/hold-facts.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

async function collection(test: TestEngine, name: string, deadlines: readonly number[]): Promise<void> {
  await test.client.collections.create({ name });
  await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  await test.settle();
  await write(
    test.client,
    name,
    deadlines.map((exp, i) => ({ _id: String(i), exp })),
  );
}

async function stored({ client }: TestEngine, name: string): Promise<number> {
  return (await client.collections.get({ collection: name })).documents;
}

describe('[R9] a store that was closed', () => {
  it('for long holds collections with documents due since, counts these, and waits for a confirmation', async () => {
    const before = openTestEngine();
    await collection(before, 'due', [NOON + DAY, NOON + 2 * DAY, NOON + 30 * DAY]);
    await collection(before, 'later', [NOON + 30 * DAY]);
    await before.advance(HOUR);
    const test = await before.reopen(9 * DAY);
    await test.settle();
    expect(await stored(test, 'due')).toBe(3);
    expect((await test.client.documents.list({ collection: 'due' })).documents).toHaveLength(1);
    const { holds } = await test.client.reaper.get({});
    expect(holds).toMatchObject([{ collection: 'due', cause: 'long closed', due: 2, documents: 3 }]);
    expect(holds[0]?.sentence).toContain('9 days');
    expect((await test.client.collections.get({ collection: 'later' })).state).toBe('running');
    await test.client.reaper.confirm({ collection: 'due' });
    await test.settle();
    expect(await stored(test, 'due')).toBe(1);
  });

  it('stays held when it is closed and opened again', async () => {
    const before = openTestEngine();
    await collection(before, 'c', [NOON + DAY]);
    const held = await before.reopen(9 * DAY);
    await held.settle();
    const test = await held.reopen(MINUTE);
    await test.settle();
    expect(await stored(test, 'c')).toBe(1);
    expect((await test.client.reaper.get({})).holds).toMatchObject([{ cause: 'long closed' }]);
  });

  it('for a shorter time, or with no document due since, continues at once', async () => {
    const before = openTestEngine();
    await collection(before, 'c', [NOON + DAY, NOON + 40 * DAY]);
    const first = await before.reopen(6 * DAY);
    await first.settle();
    expect(await stored(first, 'c')).toBe(1);
    const second = await first.reopen(20 * DAY);
    await second.settle();
    expect((await second.client.reaper.get({})).holds).toEqual([]);
  });

  it('measures from the minute when it was last open, even if the process ended without closing it', async () => {
    const before = openTestEngine();
    await collection(before, 'c', [NOON + 12 * DAY]);
    await before.advance(6 * DAY);
    const copy = `${before.file}.copy`;
    before.clock.advance(MINUTE);
    await before.settle();
    new Sqlite(before.file).exec(`VACUUM INTO '${copy}'`).close();
    const test = openTestEngine({ file: copy, startAt: NOON + 12 * DAY + HOUR });
    await test.settle();
    expect(await stored(test, 'c')).toBe(0);
  });

  it('is held after the number of days that the store sets', async () => {
    const before = openTestEngine();
    await before.client.settings.update({ holdAfterDays: 1 });
    await collection(before, 'c', [NOON + DAY]);
    const test = await before.reopen(2 * DAY);
    await test.settle();
    expect((await test.client.reaper.get({})).holds).toMatchObject([{ cause: 'long closed' }]);
  });
});

describe('[R9] a restored backup', () => {
  it('holds every collection with due documents, once', async () => {
    const before = openTestEngine();
    await collection(before, 'due', [NOON + MINUTE]);
    await collection(before, 'later', [NOON + DAY]);
    await before.stop();
    const file = new Sqlite(before.file);
    file.exec(`INSERT OR REPLACE INTO meta VALUES ('restoredFrom', 'monday.sandglass')`);
    file.close();
    const test = openTestEngine({ file: before.file, startAt: NOON + HOUR });
    await test.settle();
    expect(await stored(test, 'due')).toBe(1);
    expect((await test.client.reaper.get({})).holds).toMatchObject([
      { collection: 'due', cause: 'restored backup', due: 1 },
    ]);
    await test.client.reaper.confirm({ collection: 'due' });
    await test.settle();
    expect(await stored(test, 'due')).toBe(0);
    const again = await test.reopen(2 * DAY);
    await again.settle();
    expect(await stored(again, 'later')).toBe(0);
  });
});

describe('[R9] documents that are due on arrival', () => {
  it('hold their collection in the same transaction if an import requests it, so that none is removed', async () => {
    const test = openTestEngine();
    await collection(test, 'c', []);
    const { backend } = test.engine;
    const holdIfDue = { cause: 'import' as const, by: 'ada' };
    const incoming = (exp: number, line: number) => ({ value: { exp }, line });
    backend.write('c', [incoming(NOON + DAY, 1)], { mode: 'insert', atomic: false, holdIfDue });
    expect(backend.holds.list()).toEqual([]);
    const seen: number[] = [];
    backend.onCommit(() => seen.push(backend.holds.list().length));
    backend.write('c', [incoming(NOON - 1, 1), incoming(NOON - 2, 2)], {
      mode: 'insert',
      atomic: false,
      holdIfDue,
    });
    // The hold exists from the commit that inserted them.
    expect(seen).toEqual([1]);
    await test.advance(MINUTE);
    expect(await stored(test, 'c')).toBe(3);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      state: 'held',
      overdue: 2,
      holds: [{ cause: 'import', by: 'ada', due: 2, documents: 3 }],
    });
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await stored(test, 'c')).toBe(1);
  });

  it('are all counted at the end of the import', async () => {
    const test = openTestEngine();
    await collection(test, 'c', []);
    const { id } = await test.client.imports.start({ collection: 'c' });
    const lines = Array.from({ length: 1_500 }, (_, i) => `{"exp":${i < 3 ? NOON - 1 : NOON + DAY}}\n`);
    await test.client.imports.append({ job: id, text: lines.join('') });
    await test.client.imports.finish({ job: id });
    const { holds } = await test.client.collections.get({ collection: 'c' });
    expect(holds).toMatchObject([
      {
        cause: 'import',
        due: 3,
        documents: 1_500,
        sentence: expect.stringContaining('3 of 1,500 documents'),
      },
    ]);
  });

  it('hold no collection if an ordinary write inserts them', async () => {
    const test = openTestEngine();
    await collection(test, 'c', [NOON - DAY, NOON - SECOND]);
    await test.settle();
    expect(await stored(test, 'c')).toBe(0);
    expect((await test.client.reaper.get({})).holds).toEqual([]);
  });

  it('hold no collection if they are sample data', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ breakerDocuments: 0, breakerShare: 0 });
    const loading = test.client.store.loadSampleData({});
    for (let i = 0; i < 2_000; i++) {
      test.clock.advance(0);
      await new Promise(resolve => setImmediate(resolve));
    }
    await loading;
    await test.settle();
    expect((await test.client.reaper.get({})).holds).toEqual([]);
  });
});

it('[R9, R10] holds of an earlier version keep the duration of the closure or the size of the clock jump', async () => {
  const file = temporaryStoreFile();
  const before = new Sqlite(file);
  before.pragma(`application_id = ${APPLICATION_ID}`);
  const version = MIGRATIONS.indexOf(holdFacts);
  for (const step of MIGRATIONS.slice(0, version)) {
    if (typeof step === 'string') before.exec(step);
    else step(before);
  }
  const insert = before.prepare(
    `INSERT INTO holds (collection, cause, source, since, by, due, documents, sentence) VALUES (0, ?, 0, 5, 'ada', 2, 3, ?)`,
  );
  insert.run('long closed', 'The store was closed for 9 days 2 hours, and 2 of 3 documents are due.');
  insert.run('clock forward', 'The clock jumped ahead by 1 hour. Time goes on from before the jump.');
  insert.run('bulk change', 'A bulk change of expirations made 2 of 3 documents due at once.');
  before.pragma(`user_version = ${version}`);
  before.close();
  const { engine } = openTestEngine({ file });
  expect(engine.backend.holds.list()).toMatchObject([
    { cause: 'long closed', durationMs: 9 * DAY + 2 * HOUR, due: 2, documents: 3 },
    { cause: 'clock forward', durationMs: HOUR },
    { cause: 'bulk change', durationMs: null },
  ]);
});
