import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { FullDiskGuard } from '../../../../electron/engine/backends/embedded/file/full-disk-guard.ts';
import { EmbeddedStore, openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { Meta } from '../../../../electron/engine/backends/embedded/tables/meta.ts';
import { openTestEngine, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/** The error that SQLite and the checkpoint thread report after `fsync` or `fdatasync` failed. */
const failedSync = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });

/** Lets the engine meet a failed sync. Returns the error for the caller. */
function failSync({ engine: { backend } }: TestEngine): unknown {
  if (!(backend instanceof EmbeddedStore)) throw new TypeError('this store is no file');
  return backend.disk.explain(failedSync());
}

/** Resolves when the thread has copied the store. */
async function copied({ file, clock }: TestEngine): Promise<void> {
  clock.advance(0);
  await expect
    .poll(() => readFileSync(`${file}-unsynced`, 'utf8'), { timeout: 20_000 })
    .toContain('"isCopied":true');
}

async function withDocuments(count = 200): Promise<TestEngine> {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await put(test, count);
  return test;
}

async function put({ client }: TestEngine, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, i) => ({ _id: String(i), text: 'x'.repeat(200) }));
  await client.documents.write({ params: { collection: 'c' }, query: { mode: 'upsert' }, body });
}

describe('a failed sync', { timeout: 60_000 }, () => {
  it('[S5] refuses every write with SYNC_FAILED and answers reads', async () => {
    const test = await withDocuments();
    expect(failSync(test)).toMatchObject({ code: 'SYNC_FAILED', data: { isInDoubt: true } });
    const refused = { code: 'SYNC_FAILED', status: 503, data: { isInDoubt: false } };
    await expect(put(test, 1)).rejects.toMatchObject(refused);
    await expect(test.client.collections.create({ name: 'd' })).rejects.toMatchObject(refused);
    await expect(test.client.reaper.pause({})).rejects.toMatchObject(refused);
    expect((await test.client.documents.list({ collection: 'c', limit: 10 })).documents).toHaveLength(10);
    expect((await test.client.store.info()).syncFailed).toMatchObject({ problem: null });
    expect(await test.client.alerts.list()).toMatchObject([{ kind: 'sync failed', collection: null }]);
    expect(test.complaints.join('\n')).toContain('a sync failed');
  });

  it('[S5] is followed by a copy in the place of the store, with all that was acknowledged', async () => {
    const test = await withDocuments();
    const { ino } = statSync(test.file);
    failSync(test);
    await copied(test);
    const again = await test.reopen();
    expect(statSync(test.file).ino).not.toBe(ino);
    for (const suffix of ['-unsynced', '-recovered', '-recovered-wal'])
      expect(existsSync(`${test.file}${suffix}`)).toBe(false);
    expect((await again.client.store.info()).syncFailed).toBeNull();
    expect((await again.client.documents.list({ collection: 'c', limit: 1_000 })).documents).toHaveLength(
      200,
    );
    await put(again, 300);
    await again.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[S5] copies before the next opening if the process ended too early, and leaves the log until then', async () => {
    const test = await withDocuments();
    failSync(test);
    await test.stop();
    expect(statSync(`${test.file}-wal`).size).toBeGreaterThan(0);
    const { ino } = statSync(test.file);
    const again = openTestEngine({ file: test.file });
    expect(statSync(test.file).ino).not.toBe(ino);
    expect((await again.client.documents.list({ collection: 'c', limit: 1_000 })).documents).toHaveLength(
      200,
    );
  });

  it('[S5] keeps nothing of a commit in doubt: the log is copied up to the last acknowledged one', async () => {
    const test = await withDocuments(3);
    failSync(test);
    // As if the commit that failed had written its frames: another connection appends a commit to the log.
    const other = new Sqlite(test.file);
    other.exec(`UPDATE collections SET name = 'in doubt'`);
    await copied(test);
    other.close();
    const again = await test.reopen();
    expect((await again.client.collections.list()).map(({ name }) => name)).toEqual(['c']);
  });

  it('[S5] is not forgotten if the disk does not give back what was acknowledged', async () => {
    const test = await withDocuments();
    failSync(test);
    await test.stop();
    const mark = JSON.parse(readFileSync(`${test.file}-unsynced`, 'utf8'));
    writeFileSync(`${test.file}-unsynced`, JSON.stringify({ ...mark, revision: mark.revision + 1 }));
    const open = () => openForWriting(test.file);
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }));
    expect(existsSync(`${test.file}-recovered`)).toBe(false);
    writeFileSync(`${test.file}-unsynced`, '{');
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }));
  });

  it('[S5] puts a complete copy in the place of the store, wherever a crash interrupted that', async () => {
    const test = await withDocuments();
    failSync(test);
    await copied(test);
    const mark = readFileSync(`${test.file}-unsynced`);
    const again = await test.reopen();
    await again.stop();
    // Interrupted after the copy got its name: the mark is still there, and a log that belongs to the old file.
    writeFileSync(`${test.file}-unsynced`, mark);
    writeFileSync(`${test.file}-wal`, 'of the old file');
    const last = openTestEngine({ file: test.file });
    expect((await last.client.documents.list({ collection: 'c', limit: 1_000 })).documents).toHaveLength(200);
  });

  it.each([
    ['an ordinary one', undefined],
    ['a follower’s', 'http://127.0.0.1:1'],
  ])('[S5] while a store is opened, %s, is marked: the next opening copies it first', async (_, leader) => {
    const file = temporaryStoreFile();
    const options = {
      file,
      clock: createManualClock(0),
      reads: 'inline' as const,
      ...(leader && { leader }),
    };
    await openEmbeddedStore(options).close();
    const { ino } = statSync(file);
    const failing = () => {
      throw failedSync();
    };
    if (leader === undefined) vi.spyOn(FullDiskGuard.prototype, 'start').mockImplementationOnce(failing);
    else vi.spyOn(Meta.prototype, 'set').mockImplementationOnce(failing);
    expect(() => openEmbeddedStore(options)).toThrow(expect.objectContaining({ code: 'SYNC_FAILED' }));
    expect(existsSync(`${file}-unsynced`)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(true);
    await openEmbeddedStore(options).close();
    expect(statSync(file).ino).not.toBe(ino);
    expect(existsSync(`${file}-unsynced`)).toBe(false);
  });
});
