import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Writer } from '../../../../electron/engine/backends/embedded/write/writer.ts';
import { IndexTable } from '../../../../electron/engine/deadline-index/index-table.ts';
import { IndexTableReader } from '../../../../electron/engine/deadline-index/index-table-reader.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';

const LEAST = 10;
const DOCUMENTS = 40;
const MIB = 1024 * 1024;
/** The reaper wakes at least this often, and rehearses when nothing is due and nothing to sweep. */
const WAKE = 31 * SECOND;

async function createWithIndex({ client, settle }: TestEngine, name: string): Promise<void> {
  await client.collections.create({ name });
  await client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  await settle();
}

function fill({ client }: TestEngine, collection: string, dueAt: number, documents = DOCUMENTS) {
  const start = documents < DOCUMENTS ? 'few' : 'many';
  return write(
    client,
    collection,
    Array.from({ length: documents }, (_, i) => ({ _id: `${start} ${i}`, exp: dueAt + (i % 7) })),
  );
}

/** Runs `body` before each change of the counts of a collection's index. Returns the function that ends it. */
function intervene({ file }: TestEngine, collection: string, body: string): () => void {
  const run = (sql: (table: number) => string) => {
    const db = new Sqlite(file);
    const table = db
      .prepare<[string], number>(
        'SELECT side FROM ttl_indexes WHERE collection = (SELECT id FROM collections WHERE name = ?)',
      )
      .pluck()
      .get(collection);
    if (table === undefined) throw new Error(`${collection} has no index`);
    db.exec(sql(table));
    db.close();
  };
  run(
    table =>
      `CREATE TABLE IF NOT EXISTS ballast (bytes);
       CREATE TRIGGER intervene_${table} BEFORE INSERT ON counts_${table} BEGIN ${body}; END`,
  );
  return () => run(table => `DROP TRIGGER intervene_${table}`);
}

/** Makes each change of the counts of a collection's index fail, as in a damaged file. Returns the function that ends it. */
function damage(test: TestEngine, collection: string): () => void {
  return intervene(test, collection, "SELECT RAISE(ABORT, 'damaged')");
}

/** Prepares all that can be prepared. Returns the collections whose rehearsal failed. */
function prepareAll({ engine }: TestEngine): string[] {
  const failed: string[] = [];
  while (engine.backend.expiry.prepareNext(({ collection }) => failed.push(collection)));
  return failed;
}

it('[R4] a rehearsal that fails is logged once, is not repeated, and neither stops the reaper nor delays other sources', async () => {
  const test = openTestEngine({ intervalFrom: LEAST });
  const { client, clock, complaints, engine, settle } = test;
  await createWithIndex(test, 'damaged');
  await createWithIndex(test, 'sound');
  await fill(test, 'damaged', NOON + 2 * HOUR);
  await fill(test, 'sound', NOON + HOUR);
  const repair = damage(test, 'damaged');

  clock.advance(WAKE);
  await settle();
  expect(engine.reaper.status.problem).toBeNull();
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toContain('collection=damaged index=exp error=damaged');
  clock.advance(WAKE);
  await settle();
  expect(complaints).toHaveLength(1);

  await test.advance(NOON + HOUR - clock.now() + 10);
  expect(await listIds(client, { collection: 'sound', includeExpired: true })).toEqual([]);
  repair();
  await test.advance(HOUR);
  expect(await listIds(client, { collection: 'damaged', includeExpired: true })).toEqual([]);
  expect(engine.reaper.status.problem).toBeNull();
  expect(complaints).toHaveLength(1);
});

it('[R4] a source whose table cannot be read does not prevent the preparation of others', async () => {
  const test = openTestEngine({ intervalFrom: LEAST });
  await createWithIndex(test, 'unreadable');
  await createWithIndex(test, 'damaged');
  await fill(test, 'unreadable', NOON + HOUR);
  await fill(test, 'damaged', NOON + HOUR);
  damage(test, 'damaged');
  const db = new Sqlite(test.file);
  const table = db.prepare<[], number>('SELECT min(side) FROM ttl_indexes').pluck().get();
  db.exec(`DROP TABLE entries_${table}`);
  db.close();
  expect(prepareAll(test).sort()).toEqual(['damaged', 'unreadable']);
  expect(prepareAll(test)).toEqual([]);
});

it('[R1] the first removal is rehearsed twenty times, one in each step, and each other one once', async () => {
  const test = openTestEngine({ intervalFrom: LEAST });
  const { engine } = test;
  for (const name of ['a', 'b', 'c']) {
    await createWithIndex(test, name);
    await fill(test, name, NOON + HOUR);
  }
  const rehearse = vi.spyOn(Writer.prototype, 'rehearse');
  onTestFinished(() => rehearse.mockRestore());
  const calls: number[] = [];
  while (engine.backend.expiry.prepareNext(() => {})) calls.push(rehearse.mock.calls.length);
  expect(rehearse).toHaveBeenCalledTimes(22);
  for (const [i, now] of calls.entries()) expect(now - (calls[i - 1] ?? 0)).toBeLessThanOrEqual(1);
});

it('[R4] dropped indexes do not count among those that are prepared', async () => {
  const test = openTestEngine({ intervalFrom: LEAST });
  const { client, engine } = test;
  const rehearse = vi.spyOn(Writer.prototype, 'rehearse');
  // More than are prepared at one time.
  for (let i = 0; i < 70; i++) {
    await createWithIndex(test, 'c');
    await fill(test, 'c', NOON + HOUR);
    rehearse.mockClear();
    prepareAll(test);
    expect(rehearse).toHaveBeenCalled();
    if (i < 69) await client.collections.drop({ collection: 'c' });
  }
  rehearse.mockRestore();
  expect(engine.reaper.status.problem).toBeNull();
});

it.skipIf(NO_SMALL_DISK)(
  '[S1] the store notices a full disk during a rehearsal, and goes on with rehearsals when there is space again',
  async () => {
    const disk = smallDisk(64 * MIB);
    const test = openTestEngine({ intervalFrom: LEAST, file: join(disk.folder, 'store') });
    const { clock, engine } = test;
    await createWithIndex(test, 'a');
    await createWithIndex(test, 'b');
    await fill(test, 'a', NOON + HOUR);
    await fill(test, 'b', NOON + HOUR);
    const ends = ['a', 'b'].map(name =>
      intervene(test, name, `INSERT INTO ballast VALUES (zeroblob(${16 * MIB}))`),
    );
    disk.fill(8 * MIB);
    const errors: unknown[] = [];
    while (engine.backend.expiry.prepareNext((_, error) => errors.push(error)));
    expect(errors).toEqual([expect.objectContaining({ code: 'DISK_FULL' })]);
    expect(engine.backend.disk.full).not.toBeNull();
    // Writes are refused: the other source is not rehearsed, and not taken for prepared.
    expect(prepareAll(test)).toEqual([]);

    disk.empty();
    for (const end of ends) end();
    for (let second = 0; engine.backend.disk.full !== null && second < 30; second++) {
      clock.advance(SECOND);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(engine.backend.disk.full).toBeNull();
    damage(test, 'a');
    damage(test, 'b');
    expect(prepareAll(test)).toHaveLength(1);
  },
);

it('[R4] a step of preparation opens a bounded number of index tables, and none once all were visited', async () => {
  const test = openTestEngine({ intervalFrom: LEAST });
  const collections = 120;
  for (let i = 0; i < collections; i++) {
    test.engine.backend.createCollection(`c${i}`);
    await test.client.ttlIndexes.create({ collection: `c${i}`, name: 'exp', source: on('exp') });
  }
  await test.settle();
  const calls = [
    vi.spyOn(IndexTableReader.prototype, 'first'),
    vi.spyOn(IndexTableReader.prototype, 'last'),
    vi.spyOn(IndexTable.prototype, 'hasMoreThan'),
    vi.spyOn(Writer.prototype, 'collection'),
  ];
  onTestFinished(() => {
    for (const one of calls) one.mockRestore();
  });
  /** Takes a step. Returns whether there are more, and how often it read a table or opened a collection. */
  const step = () => {
    const before = calls.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const isMore = test.engine.backend.expiry.prepareNext(() => {});
    return { isMore, calls: calls.reduce((sum, { mock }) => sum + mock.calls.length, 0) - before };
  };

  const callsOfSteps = () => {
    const made: number[] = [];
    for (let isMore = true; isMore; ) {
      const one = step();
      made.push(one.calls);
      isMore = one.isMore;
    }
    return made;
  };

  const first = callsOfSteps();
  expect(Math.max(...first)).toBeLessThanOrEqual(50);
  expect(first.reduce((sum, made) => sum + made, 0)).toBe(collections);
  expect(step()).toEqual({ isMore: false, calls: 0 });
  // Another definition makes no table that was visited worth another visit.
  await createWithIndex(test, 'another');
  expect(Math.max(...callsOfSteps())).toBeLessThanOrEqual(1);
  expect(step()).toEqual({ isMore: false, calls: 0 });
  // Nor does a write into a collection whose documents do not expire by an index.
  await test.client.collections.create({ name: 'plain' });
  await fill(test, 'plain', NOON + HOUR);
  expect(Math.max(...callsOfSteps())).toBe(0);
  expect(step()).toEqual({ isMore: false, calls: 0 });
});

for (const before of [0, 3])
  it(`[R1] an index with ${before} documents at the first visit is prepared once it has more`, async () => {
    const test = openTestEngine({ intervalFrom: LEAST });
    await createWithIndex(test, 'c');
    await createWithIndex(test, 'other');
    if (before > 0) await fill(test, 'c', NOON + HOUR, before);
    expect(prepareAll(test)).toEqual([]);
    await fill(test, 'other', NOON + HOUR);
    expect(prepareAll(test)).toEqual([]);
    await fill(test, 'c', NOON + HOUR);
    damage(test, 'c');
    // The rehearsal is seen by its failure.
    expect(prepareAll(test)).toEqual(['c']);
  });
