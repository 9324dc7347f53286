import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  compactCopy,
  removeCompactCopy,
  writeBack,
  writeCompactCopy,
} from '../../../../electron/engine/backends/embedded/file/compact.ts';
import { recoverFromFailedSync } from '../../../../electron/engine/backends/embedded/file/copy-after-failed-sync.ts';
import { writeSyncMark } from '../../../../electron/engine/backends/embedded/file/sync-mark.ts';
import { DAY, HOUR, NOON, openTestEngine, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { runsHere } from '../../../support/runs-here.ts';
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

/** A closed store of which three quarters are unused. */
async function withUnused(documents: number): Promise<{ file: string }> {
  const test = openTestEngine();
  // Without restorable copies, which would take the space again.
  await test.client.settings.update({ retention: 0 });
  await test.client.collections.create({ name: 'c' });
  for (let from = 0; from < documents; from += 500) await write(test, from, Math.min(500, documents - from));
  const ids = Array.from({ length: (documents * 3) / 4 }, (_, i) => `${i}`);
  await ended(test, (await test.client.documents.deleteMany({ collection: 'c', ids })).id);
  test.engine.backend.expiry.sweep(10_000);
  await test.settle();
  await test.stop();
  return { file: test.file };
}

describe('the file of a store', () => {
  it('[S3] is compacted while reads continue and writes wait, and keeps its content', async () => {
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
    // In the same turn of the event loop: the job has not ended yet.
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

  it('[S3] has one size: the file and its log, in every answer, also while its pages are in the log alone', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test, 0, 20);
    const space = await test.client.store.space();
    expect(space.walBytes).toBe(statSync(`${test.file}-wal`).size);
    expect(space.totalBytes).toBe(space.bytes + space.walBytes);
    expect(space.totalBytes).toBe((await test.client.store.info()).bytes);
    // The bytes in use are within the reported size of the file.
    expect(space.usedBytes + space.unusedBytes).toBeLessThanOrEqual(space.totalBytes);
    await ended(test, (await test.client.store.compact()).id);
    const after = await test.client.store.space();
    expect(after.bytes).toBe(after.usedBytes + after.unusedBytes);
  });

  it('[S3] is compacted with progress, first of a copy beside it, then of writing that back', async () => {
    const { file } = await withUnused(4_000);
    const reported: number[] = [];
    writeCompactCopy(file);
    const { bytesBefore, bytesAfter } = await writeBack(file, (done, total) => reported.push(done / total));
    expect(bytesAfter).toBeLessThan(bytesBefore / 2);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    removeCompactCopy(file);
    expect(existsSync(compactCopy(file))).toBe(false);
    expect(disagreements(file)).toEqual([]);
  });

  it('[S3] does not change if compacting is cancelled while the copy is written back, and is read meanwhile', async () => {
    const { file } = await withUnused(8_000);
    const reader = new Sqlite(file, { readonly: true });
    onTestFinished(() => void reader.close());
    const count = reader.prepare('SELECT count(*) FROM documents_1').pluck();
    const before = [count.get(), statSync(file).size];
    writeCompactCopy(file);
    let reads = 0;
    const cancelled = writeBack(file, done => {
      reads += count.get() === before[0] ? 1 : 0;
      if (done > 0) throw new Error('cancelled here');
    });
    await expect(cancelled).rejects.toThrow('cancelled here');
    expect(reads).toBeGreaterThan(0);
    expect([count.get(), statSync(file).size]).toEqual(before);
    // The file can be compacted later, over the copy that was left.
    writeCompactCopy(file);
    await writeBack(file, () => {});
    expect(count.get()).toBe(before[0]);
    expect(disagreements(file)).toEqual([]);
  });

  it('[S5] does not change if a sync of it fails while the copy is written back: recovery has the file and the log as they were', async () => {
    const { file } = await withUnused(8_000);
    const before = readFileSync(file);
    const mark = { at: NOON, revision: 1, log: null, isCopied: false };
    writeCompactCopy(file);
    const failed = writeBack(file, done => {
      if (done > 0) writeSyncMark(file, mark);
    });
    await expect(failed).rejects.toMatchObject({ code: 'SYNC_FAILED' });
    expect(readFileSync(file).equals(before)).toBe(true);
    await expect(writeBack(file, () => {})).rejects.toMatchObject({ code: 'SYNC_FAILED' });
    recoverFromFailedSync(file);
    expect(disagreements(file)).toEqual([]);
    writeCompactCopy(file);
    expect((await writeBack(file, () => {})).bytesAfter).toBeLessThan(before.length / 2);
  });

  it('[S3] waits for a writer of another process before it is written back, and can be cancelled meanwhile', async () => {
    const { file } = await withUnused(400);
    const other = new Sqlite(file);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    writeCompactCopy(file);
    let waited = 0;
    const cancelled = writeBack(file, () => {
      waited += 1;
      if (waited === 2) throw new Error('cancelled here');
    });
    await expect(cancelled).rejects.toThrow('cancelled here');
    let reports = 0;
    const { bytesBefore, bytesAfter } = await writeBack(file, () => {
      reports += 1;
      if (reports === 2) other.exec('ROLLBACK');
    });
    expect(bytesAfter).toBeLessThan(bytesBefore / 2);
    expect(disagreements(file)).toEqual([]);
  });

  it('[S3] accepts writes at once when compacting is cancelled, and the copy is deleted', async () => {
    const { file } = await withUnused(4_000);
    const test = openTestEngine({ file });
    const { id } = await test.client.store.compact();
    await test.client.jobs.cancel({ job: id });
    expect(await write(test, 90_000, 1)).toMatchObject({ inserted: 1 });
    expect(await ended(test, id)).toMatchObject({ state: 'cancelled' });
    expect(existsSync(compactCopy(file))).toBe(false);
    expect((await ended(test, (await test.client.store.compact()).id)).state).toBe('done');
    await test.stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[S3] loses the copy of an interrupted compaction when it is opened, and no other file is removed', async () => {
    const { file } = await withUnused(100);
    writeCompactCopy(file);
    await openTestEngine({ file }).stop();
    expect(existsSync(compactCopy(file))).toBe(false);
    writeFileSync(compactCopy(file), 'a file of somebody else');
    const test = openTestEngine({ file });
    const failed = await ended(test, (await test.client.store.compact()).id);
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('Move that file away') });
    expect(readFileSync(compactCopy(file), 'utf8')).toBe('a file of somebody else');
    expect(await write(test, 90_000, 1)).toMatchObject({ inserted: 1 });
  });

  it.runIf(runsHere('compacting without room', NO_SMALL_DISK))(
    '[S3, S1] is not compacted if its disk has no room for it, and the error has the missing bytes',
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

  it('[S3] that is intact is reported as intact', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(test, 0, 100);
    expect(await ended(test, (await test.client.store.check()).id)).toMatchObject({
      state: 'done',
      result: '100 documents, no problem found',
    });
  });

  it('[S3] that is damaged, or whose counts are wrong, fails the check with the defects', async () => {
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
      error: expect.stringContaining('Collection c is counted with 301 documents and has 300'),
    });
    await miscounted.stop();
    const handle = openSync(test.file, 'r+');
    writeSync(handle, Buffer.alloc(4_096, 7), 0, 4_096, statSync(test.file).size - 20 * 4_096);
    closeSync(handle);
    const damaged = await miscounted.reopen();
    expect(await ended(damaged, (await damaged.client.store.check()).id)).toMatchObject({ state: 'failed' });
  });

  it('[S3] gets new statistics of large tables once a day, and of no others', async () => {
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

  it('[S3] gets new statistics also if an index or a collection is dropped meanwhile', async () => {
    const test = openTestEngine();
    const { fileCare } = test.engine.backend;
    for (const name of ['c', 'd']) {
      await test.client.collections.create({ name });
      await test.client.documents.write({ params: { collection: name }, body: [{ _id: '1' }] });
    }
    const source = { kind: 'lastModified', expireAfter: 60 } as const;
    await test.client.ttlIndexes.create({ collection: 'c', name: 'ttl', source });
    await test.settle();
    const statements = fileCare.staleStatistics() ?? [];
    expect(statements.join()).toContain('entries_');
    await test.client.ttlIndexes.drop({ collection: 'c', index: 'ttl' });
    await test.client.collections.drop({ collection: 'd' });
    await test.settle();
    for (const statement of statements) fileCare.renewStatistics(statement);
  });
});
