import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedBody } from '../../../../electron/engine/backends/embedded/tables/documents/stored-json.ts';
import { ExpiredIntervals } from '../../../../electron/engine/backends/embedded/tables/removals/expired-intervals.ts';
import { READING_RULES_VERSION } from '../../../../shared/model/reading-rules.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { leavesOf, overwrite, PAGE_BYTES, recovered, schemaPages } from '../../../support/recovery.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const COUNT = 2_000;

/** A store as it was at the commit in which every second document expired: none of them is listed. */
async function storeWithInterval(kind: 'index' | 'explicit' = 'index'): Promise<string> {
  const test = openTestEngine({ intervalFrom: 2 });
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const documents = Array.from({ length: COUNT }, (_, i) => ({
    _id: `${i % 2 === 0 ? 'gone' : 'kept'} ${i}`,
    exp: i % 2 === 0 && kind === 'index' ? NOON + SECOND : NOON + HOUR,
    text: 'x'.repeat(200),
  }));
  await write(client, 'c', documents);
  if (kind === 'explicit') {
    const gone = documents.filter((_, i) => i % 2 === 0).map(({ _id }) => _id);
    test.engine.backend.setExpiration('c', gone, { after: 1 });
  }
  const file = join(temporaryFolder(), 'damaged.sandglass');
  test.engine.backend.onCommit(({ changes }) => {
    if (changes.some(({ documents }) => documents !== undefined))
      for (const suffix of ['', '-wal']) copyFileSync(test.file + suffix, file + suffix);
  });
  await test.advance(2 * SECOND);
  await test.settle();
  const db = new Sqlite(file);
  expect(db.prepare('SELECT documents, listed FROM expired_intervals').all()).toEqual([
    { documents: COUNT / 2, listed: 0 },
  ]);
  db.close();
  return file;
}

/** As if the duration had been changed since: only the interval tells that documents are gone. */
function lengthen(file: string): void {
  const db = new Sqlite(file);
  db.exec(`UPDATE ttl_indexes SET definition = replace(definition, '"expireAfter":0', '"expireAfter":600')`);
  db.close();
}

function damageDefinition(file: string): void {
  const db = new Sqlite(file);
  db.exec(`UPDATE expired_intervals SET definition = replace(definition, '{"kind"', '{"kind')`);
  expect(db.prepare('SELECT json_valid(definition) FROM expired_intervals').pluck().get()).toBe(0);
  db.close();
}

function damage(file: string, pages: readonly number[]): void {
  overwrite(file, bytes => {
    for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
  });
}

/** Every fifth page of documents. */
function somePages(file: string): number[] {
  return leavesOf(file, 'documents_1').flatMap(({ page }, i) => (i % 5 === 2 ? [page] : []));
}

describe('recovery of a store with an expired interval that is not listed', () => {
  it.each([
    ['whole', () => []],
    ['damaged, with its list of tables whole', somePages],
  ])('[S3] leaves its documents out if the store is %s', async (_, damagedPages) => {
    const file = await storeWithInterval();
    lengthen(file);
    const pages = damagedPages(file);
    damage(file, pages);
    const { client, job } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', error: null });
    const ids = await listIds(client, { collection: 'c', includeExpired: true });
    expect(ids.filter(id => id.startsWith('gone'))).toEqual([]);
    const lost = COUNT / 2 - ids.length;
    expect(lost > 0).toBe(pages.length > 0);
    expect(lost).toBeLessThan(COUNT / 4);
  });

  it('[S3, E1] leaves documents with an explicit expiration out if the store is whole', async () => {
    const { client, job } = await recovered(await storeWithInterval('explicit'));
    expect(job).toMatchObject({ state: 'done', error: null });
    const ids = await listIds(client, { collection: 'c', includeExpired: true });
    expect(ids.filter(id => id.startsWith('gone'))).toEqual([]);
    expect(ids).toHaveLength(COUNT / 2);
  });

  it('[S3, R9] loses no living document without the list of tables; those of the interval are due again', async () => {
    const file = await storeWithInterval();
    damage(file, schemaPages(file));
    const { client, job, settle } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', error: null });
    await settle();
    const shown = await listIds(client, { collection: 'c' });
    expect(shown).toHaveLength(COUNT / 2);
    expect(shown.filter(id => id.startsWith('gone'))).toEqual([]);
    const { holds } = await client.reaper.get();
    expect(holds).toMatchObject([{ collection: 'c', cause: 'import', due: COUNT / 2 }]);
  });

  it('[S3] leaves its documents out, and no other, if the index of the interval cannot be read', async () => {
    const file = await storeWithInterval();
    damageDefinition(file);
    const { client, job } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', error: null });
    const ids = await listIds(client, { collection: 'c', includeExpired: true });
    expect(ids.filter(id => id.startsWith('gone'))).toEqual([]);
    expect(ids).toHaveLength(COUNT / 2);
  });

  it('[S3, A6] leaves its documents out, and no other, if they expired by other reading rules', async () => {
    const file = await storeWithInterval();
    const db = new Sqlite(file);
    // By the present rules each document has a later deadline than by those of then.
    db.exec(`UPDATE documents_1 SET body = json_set(body, '$.exp', (body ->> '$.exp') + ${HOUR});
             UPDATE expired_intervals SET rules = ${READING_RULES_VERSION - 1}`);
    db.close();
    const { client, job } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', error: null });
    const ids = await listIds(client, { collection: 'c', includeExpired: true });
    expect(ids.filter(id => id.startsWith('gone'))).toEqual([]);
    expect(ids).toHaveLength(COUNT / 2);
  });
});

it('[S3] the damaged index of an expired interval is told as damage of the file', async () => {
  const file = await storeWithInterval();
  damageDefinition(file);
  const db = new Sqlite(file, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const intervals = new ExpiredIntervals(db);
  intervals.refresh();
  const stored = { row: 1, updatedAt: NOON, explicitAt: null, body: storedBody('{"_id":"a"}') };
  expect(() => intervals.isExpired(1, stored)).toThrow(expect.objectContaining({ code: 'SQLITE_CORRUPT' }));
});
