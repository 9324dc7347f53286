import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { ReadConnection } from '../../../../electron/engine/backends/embedded/read/read-connection.ts';
import { summarize } from '../../../../electron/engine/backends/embedded/read/read-summaries.ts';
import { NextDeadlines } from '../../../../electron/engine/expiry/next-deadlines.ts';
import { MOST_SUMMARIES } from '../../../../electron/engine/feeds/outdated-summaries.ts';
import { on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine } from '../../../support/engine.ts';

/** Work that must not grow with the number of collections, counted instead of timed. */

function openReader(file: string) {
  const reader = new ReadConnection(file);
  onTestFinished(() => reader.close());
  let prepared = 0;
  const prepare = reader.db.prepare.bind(reader.db);
  const counting: typeof prepare = (source: string) => {
    prepared += 1;
    return prepare(source);
  };
  reader.db.prepare = counting;
  return {
    reader,
    /** Summarizes all collections; returns the number of statements that were prepared for it. */
    list(): number {
      const before = prepared;
      reader.read(() => {
        for (const name of reader.catalog.collections.keys()) summarize(reader, name, NOON);
      });
      return prepared - before;
    },
  };
}

it('the schema, which connections read again after a change, changes for few of many new collections', async () => {
  const { client, engine, file } = openTestEngine();
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const schemas = new Set<unknown>();
  for (let i = 0; i < 80; i++) {
    engine.backend.createCollection(`c${i}`);
    schemas.add(db.pragma('schema_version', { simple: true }));
  }
  expect(schemas.size).toBeLessThan(32);
  for (const name of ['c0', 'c42', 'c79'])
    expect(await write(client, name, [{ _id: 'a' }])).toMatchObject({ inserted: 1 });
  const used = db.prepare<[], number>('SELECT explicit FROM collections').pluck().all();
  expect(new Set(used).size).toBe(80);
});

it('tables created ahead are used by a TTL index and by a collection, and freed with them', async () => {
  const { client, engine, file, settle } = openTestEngine();
  for (let i = 0; i < 20; i++) engine.backend.createCollection(`c${i}`);
  await write(client, 'c19', [{ _id: 'a', exp: NOON + HOUR }]);
  await client.ttlIndexes.create({ collection: 'c19', name: 'exp', source: on('exp') });
  await settle();
  const [index] = await client.ttlIndexes.list({ collection: 'c19' });
  expect(index).toMatchObject({ state: 'ready', documents: 1, nextDeadlineAt: NOON + HOUR });
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const tables = () =>
    db
      .prepare<[], number>(`SELECT count(*) FROM sqlite_schema WHERE name GLOB 'entries_[0-9]*'`)
      .pluck()
      .get();
  const before = tables() ?? 0;
  await client.ttlIndexes.drop({ collection: 'c19', index: 'exp' });
  expect(tables()).toBe(before - 1);
});

it('a list of collections prepares each statement once, also after another collection was created', async () => {
  const { client, file, settle } = openTestEngine();
  for (let i = 0; i < 12; i++) {
    await client.collections.create({ name: `c${i}` });
    await write(client, `c${i}`, [{ _id: 'a', exp: NOON + HOUR }]);
    await client.ttlIndexes.create({ collection: `c${i}`, name: 'exp', source: on('exp') });
  }
  await settle();
  const { list } = openReader(file);
  expect(list()).toBeLessThan(12 * 8);
  expect(list()).toBe(0);
  await client.collections.create({ name: 'another' });
  expect(list()).toBeLessThan(20);
});

it('a definition is parsed again only if it changed', async () => {
  const { client, file, settle } = openTestEngine();
  for (const name of ['a', 'b']) {
    await client.collections.create({ name });
    await client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  }
  await settle();
  const { reader, list } = openReader(file);
  const indexOf = (name: string) => reader.catalog.collections.get(name)?.indexes[0];
  list();
  const [a, b] = [indexOf('a'), indexOf('b')];
  await client.reaper.pause({ collection: 'b', index: 'exp' });
  list();
  expect(indexOf('a')).toBe(a);
  expect(indexOf('b')).not.toBe(b);
  expect(indexOf('b')?.isPaused).toBe(true);
});

it('[R1] after a change, only the next deadlines of its collection are read again', async () => {
  const { engine, client } = openTestEngine();
  for (const name of ['a', 'b', 'c']) {
    await client.collections.create({ name });
    await client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  }
  const { expiry } = engine.backend;
  const read: string[] = [];
  const deadlines = new NextDeadlines({
    ...expiry,
    nextDeadline: source => {
      read.push(source.collection);
      return expiry.nextDeadline(source);
    },
  });
  const look = () => expiry.sources().map(source => deadlines.of(source));
  look();
  expect(read).toHaveLength(6);
  read.length = 0;
  deadlines.changed(new Set(['b']));
  look();
  expect(read).toEqual(['b', 'b']);
});

it('[V2] updates of the window have a bounded number of summaries; the next ones have the others', async () => {
  const { client, clock, engine } = openTestEngine();
  const names = Array.from({ length: MOST_SUMMARIES + 10 }, (_, i) => `c${i}`);
  for (const name of names) engine.backend.createCollection(name);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const updates = await client.live.watch(undefined, { signal: controller.signal });
  const next = async () => {
    const update = await updates.next();
    return update.done ? [] : update.value.collections.map(({ name }) => name);
  };
  expect(await next()).toHaveLength(names.length);
  for (const name of names) engine.backend.put(name, 'a', {});
  engine.backend.createCollection('new');
  const received: string[][] = [];
  while (new Set(received.flat()).size < names.length + 1) {
    const update = next();
    for (let turn = 0; turn < 10; turn++) {
      clock.advance(50);
      await new Promise(resolve => setImmediate(resolve));
    }
    received.push(await update);
  }
  expect(Math.max(...received.map(update => update.length))).toBeLessThanOrEqual(MOST_SUMMARIES);
  expect(received[0]).toContain('new');
});
