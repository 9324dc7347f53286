import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readCatalog } from '../../../../electron/engine/backends/embedded/catalog/catalog-snapshot.ts';
import { MIGRATIONS, migrate } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { MINUTE } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { answersOf } from '../../../support/store-answers.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/stores');
/** The instant of the answers (README.md of the fixtures). */
const NOW = Date.UTC(2026, 10, 22, 12, 15);

function fixture(name: string): Buffer {
  return gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`)));
}

function fileOfFormat(format: 13 | 17 | 18 | 21): string {
  const file = temporaryStoreFile();
  writeFileSync(file, fixture(`format-${format}.sandglass`), { mode: 0o600 });
  return file;
}

function open(file: string): EmbeddedStore {
  return openEmbeddedStore({ file, clock: createManualClock(NOW), reads: 'inline' });
}

/** Removes messages for people, which may be reworded. */
function withoutSentences(answers: string): object {
  return JSON.parse(answers, (key, value) => (key === 'sentence' || key === 'message' ? undefined : value));
}

/** Every row of every table. */
function rowsOf(file: string): Record<string, unknown[]> {
  const db = new Sqlite(file, { readonly: true });
  const names = db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all();
  const rows = names.map(name => [name, db.prepare(`SELECT * FROM ${name}`).all()]);
  db.close();
  return Object.fromEntries(rows);
}

/** Tables and indexes by their SQL, without comments and layout, and the rows. */
function contentOf(db: Sqlite.Database) {
  const schema = db
    .prepare<[], { name: string; sql: string }>(
      'SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name',
    )
    .all()
    .map(({ name, sql }) => [
      name,
      sql
        .replace(/--.*$/gm, '')
        .replace(/["\s]+/g, ' ')
        .replace(/ ?([(),]) ?/g, '$1'),
    ]);
  const rows = db.prepare(`SELECT key, value FROM meta WHERE key <> 'storeId' ORDER BY key`).all();
  return { schema: Object.fromEntries(schema), rows, format: db.pragma('user_version', { simple: true }) };
}

describe('a new store', () => {
  it('[S4] has the tables, columns and values to which the migrations bring an empty file', () => {
    const migrated = new Sqlite(':memory:');
    for (const step of MIGRATIONS) {
      if (typeof step === 'string') migrated.exec(step);
      else step(migrated);
    }
    migrated.pragma(`user_version = ${MIGRATIONS.length}`);
    const created = new Sqlite(':memory:');
    migrate(created);
    expect(contentOf(created)).toEqual(contentOf(migrated));
    const idOf = (db: Sqlite.Database) => db.prepare(`SELECT value FROM meta WHERE key = 'storeId'`).get();
    expect(idOf(created)).not.toEqual(idOf(migrated));
  });
});

describe.each([13, 17, 18, 21] as const)('a store of format %d', format => {
  it('[S4] answers every read as the version that wrote it did', async () => {
    const store = open(fileOfFormat(format));
    const answers: unknown = JSON.parse(JSON.stringify(await answersOf(store, NOW)));
    // Later versions may answer more.
    expect(answers).toMatchObject(withoutSentences(fixture(`format-${format}.answers.json`).toString()));
    await store.close();
  });
});

describe('a store of format 17', () => {
  it('[S4] goes on: what expires now is removed at once, beside removals of before that are not swept', async () => {
    const file = fileOfFormat(17);
    const clock = createManualClock(NOW);
    const store = openEmbeddedStore({ file, clock, reads: 'inline', intervalFrom: 2 });
    // A registered follower is sent each `_id`.
    store.followers.forget('paris');
    while (store.followers.step());
    const before = store.unswept();
    expect(before).toBeGreaterThan(0);
    const now = NOW + 15 * MINUTE;
    clock.advance(15 * MINUTE);
    const [source] = store.expiry
      .sources()
      .filter(one => one.collection === 'sessions' && store.expiry.due(one, now) > 2);
    if (source === undefined) throw new Error('nothing is due');
    const due = store.expiry.due(source, now);
    const pass = newPass({
      id: store.expiry.nextPassId(),
      collection: 'sessions',
      trigger: 'manual',
      at: now,
    });
    const all = { cutoff: now, budgetMs: () => 1_000, maxDocuments: Number.POSITIVE_INFINITY, isLast: true };
    expect(store.expiry.reap(source, all, pass).removed).toBe(due);
    expect(store.unswept()).toBe(before + due);
    expect(rowsOf(file).expired_intervals).toMatchObject([{ documents: due }]);
    const { expired } = await store.reads.expired({ limit: 1_000 }, now);
    while (store.expiry.sweep(8));
    expect(store.unswept()).toBe(0);
    expect((await store.reads.expired({ limit: 1_000 }, now)).expired).toEqual(expired);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });
});

describe('a store of format 18', () => {
  it('[S4, X4] goes on with its expired intervals, whatever of them is listed, freed or deleted', async () => {
    const file = fileOfFormat(18);
    const store = openEmbeddedStore({
      file,
      clock: createManualClock(NOW),
      reads: 'inline',
      intervalFrom: 2,
    });
    const history = async () => {
      const { expired } = await store.reads.expired({ limit: 10_000 }, NOW);
      return expired.map(({ restorable, ...entry }) => ({ ...entry, isRestorable: restorable !== null }));
    };
    const before = await history();
    expect(before.length).toBeGreaterThan(1_500);
    while (store.expiry.sweep(0));
    expect(store.unswept()).toBe(0);
    expect(await history()).toEqual(before);
    const { ids } = store.expired.find(
      { collection: 'sessions', restorable: true },
      { cursor: null, order: 'asc' },
    );
    const options = { onConflict: 'newId', choices: {}, expiration: { never: true } } as const;
    expect(store.expired.restore(ids, options)).toMatchObject({ succeeded: 288, failed: [] });
    const documents = await store.reads.documents(
      { collection: 'sessions', limit: 1_000, sort: '_id', order: 'asc', includeExpired: false },
      NOW,
    );
    expect(documents.documents.find(({ _id }) => _id === 'u250')).toBeUndefined();
    expect(documents.documents.find(({ _id }) => _id === 'u249')?.document).toMatchObject({ n: 249 });
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });
});

describe('a store of format 21', () => {
  it('[S4, A6] goes on with its expired intervals, which are of the reading rules of then', async () => {
    const file = fileOfFormat(21);
    const options = { file, clock: createManualClock(NOW), reads: 'inline', intervalFrom: 2 } as const;
    const store = openEmbeddedStore(options);
    expect(rowsOf(file).expired_intervals).toMatchObject([
      { documents: 1_500, freed: 1, rules: 2 },
      { source: 0, listed: 20, freed: 0, rules: 2 },
      { documents: 700, listed: 256, freed: 0, rules: 2 },
      { documents: 30, listed: 0, retired: 1, rules: 2 },
      { documents: 30, listed: 0, retired: 0, rules: 2 },
    ]);
    const seen = async () => {
      const found: Record<string, unknown> = {};
      for (const collection of store.collectionNames()) {
        const list = { collection, limit: 1_000, sort: '_id', order: 'asc', includeExpired: true } as const;
        found[collection] = (await store.reads.documents(list, NOW)).documents.map(({ _id }) => _id);
      }
      const { expired } = await store.reads.expired({ limit: 10_000 }, NOW);
      return { found, expired: expired.map(({ restorable, ...entry }) => entry) };
    };
    const [summary] = await store.reads.summaries(['by_expression'], NOW);
    expect(summary).toMatchObject({ documents: 2, withDeadline: 2 });
    const before = await seen();
    expect(before.found).toMatchObject({ by_expression: ['e4', 'late4'], dropped_index: ['d4'] });
    expect(before.found.listed).toHaveLength(7);
    while (store.expiry.sweep(0));
    expect(store.unswept()).toBe(0);
    expect(await seen()).toEqual(before);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });

  it('[S4, A6] keeps its documents expired in a version with other reading rules', async () => {
    const file = fileOfFormat(21);
    await open(file).close();
    const db = new Sqlite(file);
    // By the rules of then, which the present ones are not, each document had another reference time.
    db.exec(`UPDATE expired_intervals SET rules = 1; UPDATE ttl_indexes SET rules = 1;
             UPDATE documents_3 SET body = json_set(body, '$.exp', (body ->> '$.exp') + 86400000);
             UPDATE documents_4 SET body = json_set(body, '$.exp', (body ->> '$.exp') + 86400000);
             UPDATE documents_5 SET body = json_set(body, '$.exp', (body ->> '$.exp') + 86400000);`);
    db.close();
    const store = open(file);
    const counts = async () =>
      (await store.reads.summaries(null, NOW)).map(({ name, documents }) => [name, documents]);
    const idsIn = async (collection: string) => {
      const list = { collection, limit: 1_000, sort: '_id', order: 'asc', includeExpired: true } as const;
      return (await store.reads.documents(list, NOW)).documents.map(({ _id }) => _id);
    };
    const before = await counts();
    for (const [name, documents] of before)
      expect(await idsIn(String(name)), String(name)).toHaveLength(Number(documents));
    store.put('listed', 'l9', { exp: NOW + 60 * MINUTE });
    store.put('by_expression', 'e9', { exp: NOW + 60 * MINUTE });
    for (const target of store.pendingBackfills()) while (store.backfill(target, 100) !== null);
    while (store.expiry.sweep(0));
    expect(await idsIn('by_expression')).toEqual(['e4', 'e9', 'late4']);
    expect(await idsIn('dropped_index')).toEqual(['d4']);
    expect(await idsIn('listed')).toHaveLength(8);
    const added = (name: string) => (name === 'listed' || name === 'by_expression' ? 1 : 0);
    expect(await counts()).toEqual(
      before.map(([name, documents]) => [name, Number(documents) + added(String(name))]),
    );
    await store.close();
  });
});

describe('a store of format 13', () => {
  it('[S4] is copied completely, once, before it is migrated', async () => {
    const file = fileOfFormat(13);
    const before = rowsOf(file);
    await open(file).close();
    const copy = `${file}.before-v${MIGRATIONS.length}`;
    expect(rowsOf(copy)).toEqual(before);
    const db = new Sqlite(copy, { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(13);
    db.close();
    await open(file).close();
    expect(existsSync(`${copy}.2`)).toBe(false);
    expect(existsSync(`${copy}.partial`)).toBe(false);
  });

  it.skipIf(NO_SMALL_DISK !== undefined)('[S4] is not changed if there is no room for the copy', async () => {
    const disk = smallDisk(4 * 1024 * 1024);
    const file = join(disk.folder, 'a.sandglass');
    writeFileSync(file, fixture('format-13.sandglass'), { mode: 0o600 });
    const before = rowsOf(file);
    disk.fill(300_000);
    expect(() => open(file)).toThrow(expect.objectContaining({ code: 'DISK_FULL' }));
    expect(rowsOf(file)).toEqual(before);
    expect(readdirSync(disk.folder).filter(name => name.includes('before'))).toEqual([]);
    disk.empty();
    await open(file).close();
    expect(existsSync(`${file}.before-v${MIGRATIONS.length}`)).toBe(true);
  });

  it('[S4, X4, D8] continues: running builds are completed, and kept copies are restored', async () => {
    const file = fileOfFormat(13);
    const store = open(file);
    // Expired documents of a dropped collection are restored with it.
    const ids = store
      .collectionNames()
      .flatMap(
        collection =>
          store.expired.find({ collection, restorable: true }, { cursor: null, order: 'asc' }).ids,
      );
    expect(ids.length).toBeGreaterThan(10);
    // Restores a copy of a patched document, a moved document, and a dead row that is not swept yet.
    const restored = store.expired.restore(ids, {
      onConflict: 'newId',
      choices: {},
      expiration: { never: true },
    });
    expect(restored.failed).toEqual([]);
    while (store.unswept() > 0) store.expiry.sweep(8);
    for (const target of store.pendingBackfills()) while (store.backfill(target, 100) !== null);
    const [dropped] = store.dropped.list();
    store.dropped.restore(dropped?.id ?? 0, { by: 'ada' });
    expect(store.collectionNames()).toContain('dropped');
    while (store.dropped.free(100));
    for (const { id } of store.holds.list()) store.holds.confirm(id, 'ada');
    const [point] = await store.reads.series({ from: 0, to: NOW });
    if (point === undefined) throw new Error('the store has no figures');
    store.series.append([{ collection: null, point: { ...point, at: NOW - MINUTE } }]);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });

  it('[S4, V5] sends followers the definitions of earlier revisions in the present format', async () => {
    const file = fileOfFormat(13);
    const store = open(file);
    const { oldest } = store.followers.register('paris', '');
    const { entries } = await store.reads.replicaEntries(oldest - 1, 1_000);
    const catalogs = entries.flatMap(({ catalog }) => (catalog === null ? [] : [catalog]));
    expect(catalogs.length).toBeGreaterThan(0);
    const db = new Sqlite(file, { readonly: true });
    for (const catalog of catalogs) expect(readCatalog(catalog, db).indexes.length).toBeGreaterThan(5);
    db.close();
    await store.close();
  });
});
