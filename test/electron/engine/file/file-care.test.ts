import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, NOON, openTestEngine, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';

async function ended(test: TestEngine, id: string) {
  await expect.poll(() => test.engine.jobs.get(id).state, { timeout: 15_000 }).not.toBe('running');
  return test.engine.jobs.get(id);
}

const write = ({ client }: TestEngine, from: number, count: number) =>
  client.documents.write({
    params: { collection: 'c' },
    body: Array.from({ length: count }, (_, i) => ({ _id: `${from + i}`, text: 'x'.repeat(2_000) })),
  });

describe('the file of a store', () => {
  it('[S3] is compacted while reads go on and writes wait, and holds what it held', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test, 0, 2_000);
    const { id: deletion } = await test.client.documents.deleteMany({
      collection: 'c',
      ids: Array.from({ length: 1_500 }, (_, i) => `${i}`),
    });
    await ended(test, deletion);
    test.engine.backend.expiry.sweep(1_000);
    const before = await test.client.store.space();
    expect(before.unusedBytes).toBeGreaterThan(1_000_000);
    const { bytes: documentBytes } = await test.client.collections.get({ collection: 'c' });
    expect(before.documentBytes).toBe(documentBytes);
    expect(before.logBytes).toBeGreaterThan(0);
    const { retainedBytes, logBytes, otherBytes } = before;
    expect(documentBytes + retainedBytes + logBytes + otherBytes).toBe(before.usedBytes);
    const { id } = await test.client.store.compact();
    // In the same turn: nothing has ended yet.
    await expect(test.client.store.compact()).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    const order: string[] = [];
    const written = write(test, 5_000, 1).then(() => order.push('written'));
    await test.client.documents.list({ collection: 'c' }).then(() => order.push('read'));
    await written;
    expect(order).toEqual(['read', 'written']);
    expect(await ended(test, id)).toMatchObject({ state: 'done', result: expect.stringContaining('after') });
    const { documents } = await test.client.collections.get({ collection: 'c' });
    expect(documents).toBe(501);
    expect((await test.client.store.space()).unusedBytes).toBeLessThan(100_000);
    await test.settle();
    await test.stop();
    expect(statSync(test.file).size).toBeLessThan(before.bytes - 1_000_000);
    expect(disagreements(test.file)).toEqual([]);
  });

  it.skipIf(NO_SMALL_DISK !== undefined)(
    '[S3, S1] is not compacted where its disk has no room for it, and the error says how much is missing',
    async () => {
      const disk = smallDisk(8_000_000);
      const test = openTestEngine({ file: join(disk.folder, 's.sandglass') });
      await test.client.collections.create({ name: 'c' });
      await write(test, 0, 500);
      disk.fill(500_000);
      await expect(test.client.store.compact()).rejects.toMatchObject({
        code: 'DISK_FULL',
        data: { missingBytes: expect.any(Number) },
      });
      expect(await write(test, 900, 1)).toMatchObject({ inserted: 1 });
    },
  );

  it('[S3] that is whole is said to be', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test, 0, 100);
    expect(await ended(test, (await test.client.store.check()).id)).toMatchObject({
      state: 'done',
      result: '100 documents, all there',
    });
  });

  it('[S3] that is damaged, or counts wrong, fails the check with what is wrong', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test, 0, 300);
    await test.stop();
    const db = new Sqlite(test.file);
    db.exec('UPDATE collections SET documents = documents + 1');
    db.close();
    const miscounted = await test.reopen();
    expect(await ended(miscounted, (await miscounted.client.store.check()).id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Collection c is said to have 301 documents and has 300'),
    });
    await miscounted.stop();
    const handle = openSync(test.file, 'r+');
    writeSync(handle, Buffer.alloc(4_096, 7), 0, 4_096, statSync(test.file).size - 20 * 4_096);
    closeSync(handle);
    const damaged = await miscounted.reopen();
    expect(await ended(damaged, (await damaged.client.store.check()).id)).toMatchObject({ state: 'failed' });
  });

  it('[S3] has the statistics of large tables renewed once a day, and no others', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await test.client.documents.write({
      params: { collection: 'c' },
      body: Array.from({ length: 10_001 }, (_, i) => ({ _id: `${i}` })),
    });
    const read = (sql: string) => {
      const db = new Sqlite(test.file, { readonly: true });
      const rows = db.prepare(sql).pluck().all();
      db.close();
      return rows;
    };
    const renewedAt = () => read(`SELECT value FROM meta WHERE key = 'statisticsRenewedAt'`)[0];
    test.clock.advance(HOUR);
    await expect.poll(renewedAt).toBe(NOON + HOUR);
    expect(read('SELECT DISTINCT tbl FROM sqlite_stat1 ORDER BY tbl')).toEqual(['documents_1', 'keys_1']);
    test.clock.advance(DAY - HOUR);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(renewedAt()).toBe(NOON + HOUR);
    expect(test.complaints).toEqual([]);
  });
});
