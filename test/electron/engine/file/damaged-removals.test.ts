import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../../electron/engine/backends/embedded/file/damaged/readable-rows.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { ended, leavesOf, overwrite, PAGE_BYTES, recovered, schemaPages } from '../../../support/recovery.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const SOME_LOST = '; a part of the removals unreadable, so that removed documents may be back';
const GONE = 600;
const KEPT = 100;

interface PackedRow {
  readonly seq: number;
  readonly documents: number;
  readonly packed: string;
}

/** An open store, most of whose documents expire a second later. */
async function openStore(): Promise<TestEngine> {
  const test = openTestEngine({ intervalFrom: null });
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  const named = (name: string, count: number, exp: number) =>
    Array.from({ length: count }, (_, i) => ({ _id: `${name} ${i} ${'x'.repeat(300)}`, exp }));
  await write(client, 'c', [...named('gone', GONE, NOON + SECOND), ...named('kept', KEPT, NOON + HOUR)]);
  return test;
}

/** A store as it was at the commit in which most documents expired, packed into rows of `removals`; none is swept. */
async function storeWithPacked(): Promise<string> {
  const test = await openStore();
  const file = join(temporaryFolder(), 'damaged.sandglass');
  test.engine.backend.onCommit(({ changes }) => {
    if (changes.some(({ kind }) => kind === 'expire'))
      for (const suffix of ['', '-wal']) copyFileSync(test.file + suffix, file + suffix);
  });
  await test.advance(3 * SECOND);
  await test.settle();
  const rows = packedRows(file);
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.reduce((sum, { documents }) => sum + documents, 0)).toBe(GONE);
  return file;
}

function packedRows(file: string): PackedRow[] {
  const db = new Sqlite(file);
  try {
    return db
      .prepare<[], PackedRow>(
        'SELECT seq, documents, packed FROM removals WHERE packed IS NOT NULL ORDER BY seq',
      )
      .all();
  } finally {
    db.close();
  }
}

/** Changes the text of the first packed row. Returns how many removals it has. */
function damageFirst(file: string, change: (packed: string) => string): number {
  const [first] = packedRows(file);
  if (first === undefined) throw new Error('no removals are packed');
  const changed = change(first.packed);
  expect(changed).not.toBe(first.packed);
  const db = new Sqlite(file);
  db.prepare('UPDATE removals SET packed = ? WHERE seq = ?').run(changed, first.seq);
  db.close();
  return first.documents;
}

/** Recovers the store; returns how many removed documents came back, and what the job reports. */
async function returned(file: string): Promise<{ gone: number; result: string | undefined }> {
  const { client, job, stop } = await recovered(file);
  expect(job).toMatchObject({ state: 'done', error: null });
  const ids = await listIds(client, { collection: 'c', includeExpired: true });
  await stop();
  expect(ids.filter(id => id.startsWith('kept'))).toHaveLength(KEPT);
  return { gone: ids.length - KEPT, result: job.result };
}

describe('recovery of a store with a damaged row of packed removals', () => {
  it.each([
    ['the _ids', (packed: string) => packed.replace('],["', '],[x')],
    ['the deadlines', (packed: string) => packed.replace('[[0', '[[x')],
    ['the deadlines, with a bracket', (packed: string) => packed.replace('[[0,', '[[0]')],
    ['the end', (packed: string) => packed.slice(0, -1)],
  ])(
    '[S3] leaves all removed documents out if %s are damaged: the row numbers are not',
    async (_, change) => {
      const file = await storeWithPacked();
      damageFirst(file, change);
      expect(await returned(file)).toEqual({
        gone: 0,
        result: `${KEPT} documents recovered, of 1 collection`,
      });
    },
  );

  it('[S3] returns one document if one row number is damaged, and reports it', async () => {
    const file = await storeWithPacked();
    damageFirst(file, packed => packed.replace('],[', '],[x'));
    expect(await returned(file)).toEqual({
      gone: 1,
      result: `${KEPT + 1} documents recovered, of 1 collection; 1 removal unreadable, so that its document may be back`,
    });
  });

  it.each([
    ['no row number can be told', (packed: string) => packed.replaceAll('],[', ']][')],
    [
      'a row number of a living document is among its own',
      (packed: string) => packed.replace('],[', `],[${GONE + 1},`),
    ],
  ])('[S3] returns only the documents of the one row if %s', async (_, change) => {
    const file = await storeWithPacked();
    const documents = damageFirst(file, change);
    expect(await returned(file)).toEqual({
      gone: documents,
      result: `${KEPT + documents} documents recovered, of 1 collection; ${documents} removals unreadable, so that their documents may be back`,
    });
  });

  it('[S3] returns only the documents of the one row if a page with a part of it is lost', async () => {
    const file = await storeWithPacked();
    const db = new Sqlite(file, { readonly: true });
    const page = db
      .prepare<[], number>(
        `SELECT pageno FROM dbstat WHERE name = 'removals' AND pagetype = 'overflow' ORDER BY path LIMIT 1`,
      )
      .pluck()
      .get();
    db.close();
    if (page === undefined) throw new Error('all removals fit on their page');
    overwrite(file, bytes => bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
    const { gone, result } = await returned(file);
    expect(gone).toBeGreaterThan(0);
    expect(gone).toBeLessThanOrEqual(256);
    expect(result).toContain(`; ${gone} removals unreadable`);
  });

  it('[S3] returns only the documents of a damaged page of removals', async () => {
    const file = await storeWithPacked();
    const [first, ...others] = leavesOf(file, 'removals');
    if (first === undefined) throw new Error('there are no removals');
    expect(others.length).toBeGreaterThan(1);
    const lost = packedRows(file).slice(0, first.cells);
    overwrite(file, bytes => bytes.fill(0xff, (first.page - 1) * PAGE_BYTES, first.page * PAGE_BYTES));
    const { gone, result } = await returned(file);
    expect(result).toContain(SOME_LOST);
    expect(gone).toBe(lost.reduce((sum, { documents }) => sum + documents, 0));
  });
});

describe('recovery of a store whose rows of removals, or whose mark of the sweep, are lost', () => {
  it.each(['meta', 'expired_intervals'])(
    '[S3] reports that removed documents may be back, without %s',
    async table => {
      const file = await storeWithPacked();
      overwritePagesOf(file, [table]);
      const { result } = await returned(file);
      expect(result).toContain(SOME_LOST);
    },
  );

  it('[S3] keeps living documents that have the row numbers of swept ones, without the list of tables and the mark', async () => {
    const first = await openStore();
    await first.advance(3 * SECOND);
    await first.settle();
    // The numbers of their rows are used again.
    first.engine.backend.delete('c', await listIds(first.client, { collection: 'c' }));
    await first.stop();
    const again = openTestEngine({ file: first.file, startAt: NOON + 10 * SECOND });
    const named = Array.from({ length: GONE }, (_, i) => ({ _id: `new ${i}`, exp: NOON + HOUR }));
    await write(again.client, 'c', named);
    await again.settle();
    await again.stop();
    overwritePagesOf(first.file, ['meta'], schemaPages(first.file));
    const { client, stop } = await recovered(first.file);
    const ids = await listIds(client, { collection: 'c', includeExpired: true });
    await stop();
    expect(ids.filter(id => id.startsWith('new'))).toHaveLength(GONE);
  });

  it('[S3] takes no row number out of an _id, which may look like several', async () => {
    const file = await storeWithPacked();
    const living = `${GONE + 1},${GONE + 2}`;
    const documents = damageFirst(file, packed =>
      packed.replace('],[', 'x,[').replace('"gone 3 x', `"gone 3,${living},x`),
    );
    expect((await returned(file)).gone).toBe(documents);
  });

  it('[S3] subtracts no row with too small a number of removals from what is lost', async () => {
    const file = await storeWithPacked();
    const lost = damageFirst(file, packed => packed.replaceAll('],[', ']]['));
    const db = new Sqlite(file);
    db.exec(
      'UPDATE removals SET documents = 1 WHERE seq = (SELECT max(seq) FROM removals WHERE packed IS NOT NULL)',
    );
    db.close();
    expect((await returned(file)).result).toContain(`; ${lost} removals unreadable`);
  });

  it('[S3] ends if a page is in the place of another', () => {
    const file = join(temporaryFolder(), 'misplaced.sqlite');
    const db = new Sqlite(file);
    db.pragma('page_size = 4096');
    db.exec(`CREATE TABLE t (row INTEGER PRIMARY KEY, body TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT i, printf('%.390c', 'x') FROM n;`);
    db.close();
    const leaves = leavesOf(file, 't');
    // A page of 200 rows ends in it, and the next one would begin where that began.
    const perPage = 200 / (leaves[0]?.cells ?? 1);
    const [to, from] = [leaves[perPage - 1]?.page ?? 0, leaves[2 * perPage - 1]?.page ?? 0];
    overwrite(file, bytes =>
      bytes.copy(bytes, (from - 1) * PAGE_BYTES, (to - 1) * PAGE_BYTES, to * PAGE_BYTES),
    );
    const damaged = new Sqlite(file);
    const rows = rowsOf<{ row: number }>(damaged, {
      table: 't',
      key: 'row',
      columns: 'row',
      keyOf: one => one.row,
    });
    let read = 0;
    while (read < 5_000 && rows.next().done !== true) read += 1;
    rows.return(undefined);
    damaged.close();
    expect(read).toBeGreaterThan(1_000);
    expect(read).toBeLessThan(5_000);
  });
});

/** Overwrites all pages of some tables, and other ones. */
function overwritePagesOf(file: string, tables: readonly string[], others: readonly number[] = []): void {
  const db = new Sqlite(file);
  const pagesOf = db.prepare<[string], number>('SELECT pageno FROM dbstat WHERE name = ?').pluck();
  const pages = [...tables.flatMap(table => pagesOf.all(table)), ...others];
  db.close();
  overwrite(file, bytes => {
    for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
  });
}

const DAMAGES = [
  ['is no JSON', (packed: string) => packed.replace('],["', '],[x')],
  ['has too many row numbers', (packed: string) => packed.replace('],[', '],[7,')],
] as const;

describe('a store with a damaged row of packed removals', () => {
  it.each(DAMAGES)(
    '[S3] is not opened, and told as damaged, if the row hides documents and %s',
    async (_, change) => {
      const file = await storeWithPacked();
      damageFirst(file, change);
      expect(() => openTestEngine({ file })).toThrow(
        expect.objectContaining({
          code: 'STORE_UNREADABLE',
          message: expect.stringMatching(/it is damaged .*sandglass recover/),
        }),
      );
    },
  );

  it('[S3] tells each read that it is damaged while the row hides documents', async () => {
    const test = await openStore();
    let isDamaged = false;
    test.engine.backend.onCommit(({ changes }) => {
      if (isDamaged || !changes.some(({ kind }) => kind === 'expire')) return;
      isDamaged = true;
      damageFirst(test.file, packed => packed.replace('],["', '],[x'));
    });
    await test.advance(SECOND);
    for (let i = 0; i < 2; i++)
      await expect(test.client.documents.list({ collection: 'c' })).rejects.toMatchObject({
        code: 'STORE_UNREADABLE',
        message: expect.stringContaining('the store’s file is damaged'),
      });
    await expect(test.client.store.info()).resolves.toBeDefined();
  });

  it('[S3] shows its documents, and tells its history as damaged, once the row is swept', async () => {
    const test = await openStore();
    await test.advance(3 * SECOND);
    damageFirst(test.file, packed => packed.replace('],["', '],[x'));
    await expect(test.client.metrics.expired({ collection: 'c', limit: 1_000 })).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
    });
    expect(await listIds(test.client, { collection: 'c' })).toHaveLength(KEPT);
    const db = new Sqlite(test.file);
    db.exec(`UPDATE retained SET lengths = replace(lengths, '[', '(')`);
    db.close();
    const check = await ended(test.client, (await test.client.store.check()).id);
    expect(check).toMatchObject({
      state: 'failed',
      // The other one is that of the copies.
      error: expect.stringContaining(
        'Table removals: 1 row has a list of documents that cannot be read and 1 more',
      ),
    });
  });

  it('[S3] tells the history as damaged if the lengths of copies are malformed', async () => {
    const test = await openStore();
    await test.advance(3 * SECOND);
    const db = new Sqlite(test.file);
    db.exec(`UPDATE retained SET lengths = replace(lengths, '[', '(')`);
    db.close();
    await expect(test.client.metrics.expired({ collection: 'c', limit: 1_000 })).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
    });
    expect(await listIds(test.client, { collection: 'c' })).toHaveLength(KEPT);
  });
});
