import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { MIGRATIONS } from '../../../../electron/engine/backends/embedded/file/migrate.ts';
import { probeStore } from '../../../../electron/engine/backends/embedded/file/probe.ts';
import { ReadConnection } from '../../../../electron/engine/backends/embedded/read/read-connection.ts';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { readOwner } from '../../../../electron/engine/files/owner-file.ts';
import { withExpireAfter } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { disagreements } from '../../../support/recount.ts';
import { NEEDS_A_USER, runsHere } from '../../../support/runs-here.ts';
import { temporaryFolder, temporaryStoreFile } from '../../../support/temporary.ts';
import { startTestThread } from '../../../support/thread.ts';

function open(file: string, clock = createManualClock(NOON)): EmbeddedStore {
  return openEmbeddedStore({ file, clock, reads: 'inline' });
}

/** The bytes of an empty database in WAL mode: one page. */
function temporaryDatabase(): Buffer {
  const db = new Sqlite(':memory:');
  db.exec('VACUUM');
  const bytes = db.serialize();
  db.close();
  return bytes;
}

function refused(file: string): { code: string; message: string } {
  try {
    void open(file).close();
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      return { code: String(error.code), message: error.message };
    throw error;
  }
  throw new Error('the store was opened');
}

describe('a store', () => {
  it('[C1, V2] is written ahead and synced: a write is acknowledged only once it is on the disk', async () => {
    const store = open(temporaryStoreFile());
    expect([store.pragma('journal_mode'), store.pragma('synchronous')]).toEqual(['wal', 2]);
    store.createCollection('c');
    store.write('c', [{ value: {}, line: 1 }], { mode: 'insert', atomic: false });
    store.expiry.sweep(8);
    expect(store.pragma('synchronous')).toBe(2);
    await store.close();
  });

  it('[R6] that is open cannot be opened again: the error names its owner', async () => {
    const file = temporaryStoreFile();
    const store = open(file);
    const { code, message } = refused(file);
    expect(code).toBe('STORE_IN_USE');
    expect(message).toContain(`process ${process.pid}`);
    await store.close();
    await open(file).close();
  });

  it('[R6] has one owner under any name: links lead to the lock, the owner and the log of their file', async () => {
    const [folder, file] = [temporaryFolder(), temporaryStoreFile()];
    const link = join(folder, 'link.sandglass');
    // The link leads to a path without a file, which opening creates.
    symlinkSync(file, link);
    const store = open(link);
    expect(refused(file).code).toBe('STORE_IN_USE');
    expect(refused(link).message).toContain(`process ${process.pid}`);
    expect(readOwner(link)).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['link.sandglass']);
    await store.close();
    const again = open(file);
    expect(refused(link).code).toBe('STORE_IN_USE');
    await again.close();
  });

  it('[R6] that another process has open is also refused until that process ends', async () => {
    const file = temporaryStoreFile();
    const script = `import { openEmbeddedStore } from ${JSON.stringify(new URL('../../../../electron/engine/backends/embedded/store.ts', import.meta.url).href)};
      import { systemClock } from ${JSON.stringify(new URL('../../../../electron/engine/platform/clock.ts', import.meta.url).href)};
      openEmbeddedStore({ file: ${JSON.stringify(file)}, clock: systemClock, reads: 'inline' });
      console.log('open'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const refusal = refused(file);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(refusal).toMatchObject({
      code: 'STORE_IN_USE',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    await open(file).close();
  });

  it('[R6] that is closed while a third process waits for it never has two owners', async () => {
    const file = temporaryStoreFile();
    const first = open(file);
    // Stands for a process that opened the lock while it was held, and keeps that file open.
    const late = new Sqlite(`${file}-lock`, { timeout: 0 });
    expect(() => late.exec('BEGIN EXCLUSIVE')).toThrow();
    await first.close();
    late.exec('BEGIN EXCLUSIVE');
    expect(refused(file).code).toBe('STORE_IN_USE');
    late.close();
    await open(file).close();
  });

  it('[R6] that is in use is refused by the engine thread as well', async () => {
    const { storeFile } = await startTestThread();
    await expect(startTestThread(storeFile)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  });

  it('[C1] of a later version is refused and not changed', async () => {
    const file = temporaryStoreFile();
    await open(file).close();
    const db = new Sqlite(file);
    db.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    db.close();
    const before = readFileSync(file);
    const { code, message } = refused(file);
    expect(code).toBe('STORE_TOO_NEW');
    expect(message).toContain('left untouched');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  describe('whose creation was interrupted', () => {
    /** A rollback journal of a first transaction: the file had `pages` pages of 4 KiB before. */
    function journal(pages: number): Buffer {
      const head = Buffer.alloc(512);
      Buffer.from('d9d505f920a163d7', 'hex').copy(head);
      head.writeUInt32BE(pages, 16);
      head.writeUInt32BE(512, 20);
      head.writeUInt32BE(4_096, 24);
      return head;
    }
    const whole = temporaryDatabase();

    it.each([
      ['nothing', Buffer.alloc(0)],
      ['zeros', Buffer.alloc(4_096)],
      ['its first sector', Buffer.concat([whole.subarray(0, 512), Buffer.alloc(3_584)])],
      ['all but its first sector', Buffer.concat([Buffer.alloc(512), whole.subarray(512)])],
      ['the whole page', whole],
    ])('[C1] by a power cut is created again: the disk has %s of its first page', async (_, bytes) => {
      const file = temporaryStoreFile();
      writeFileSync(file, bytes);
      writeFileSync(`${file}-journal`, journal(0));
      expect(probeStore(file)).toEqual({ is: 'new' });
      const store = open(file);
      store.createCollection('c');
      await store.close();
      expect(existsSync(`${file}-journal`)).toBe(false);
      expect(disagreements(file)).toEqual([]);
    });

    it('[C1] is not what a journal of another database means, which is refused and not changed', () => {
      for (const [pages, size] of [
        [1, 4_096],
        [0, 8_192],
      ] as const) {
        const file = temporaryStoreFile();
        const before = Buffer.alloc(size, 'x');
        writeFileSync(file, before);
        writeFileSync(`${file}-journal`, journal(pages));
        expect(refused(file).code).toBe('STORE_UNREADABLE');
        expect(readFileSync(file).equals(before)).toBe(true);
        expect(readFileSync(`${file}-journal`).equals(journal(pages))).toBe(true);
      }
    });
  });

  it('[C1] that is another program’s database is refused and not changed, including its write-ahead log', () => {
    const file = temporaryStoreFile();
    const other = `${file}-of-another`;
    const db = new Sqlite(other);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)');
    // The state after a crash: some of it only in the log.
    copyFileSync(other, file);
    copyFileSync(`${other}-wal`, `${file}-wal`);
    db.close();
    const before = [readFileSync(file), readFileSync(`${file}-wal`)];
    expect(refused(file).code).toBe('STORE_UNREADABLE');
    expect(existsSync(`${file}-wal`)).toBe(true);
    expect(readFileSync(file).equals(before[0] ?? Buffer.alloc(0))).toBe(true);
    expect(readFileSync(`${file}-wal`).equals(before[1] ?? Buffer.alloc(0))).toBe(true);
  });

  it('[D8] with an expression that this version does not accept is refused with the name of the index', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'things' });
    const source = { kind: 'expression' as const, expression: 'timestamp(doc.end)' };
    await test.client.ttlIndexes.create({ collection: 'things', name: 'ends', source });
    await test.stop();
    const db = new Sqlite(test.file);
    db.prepare('UPDATE ttl_indexes SET definition = replace(definition, ?, ?)').run(
      'timestamp(doc.end)',
      'timestmp(doc.end)',
    );
    db.close();
    const { code, message } = refused(test.file);
    expect(code).toBe('STORE_UNREADABLE');
    expect(message).toContain('TTL index ends');
    expect(message).toContain('timestmp');
  });

  it('[C1] that is not a database is refused and not changed', () => {
    for (const text of ['{"_id":"a"}\n', 'x', 'SQLite format 2 and more']) {
      const file = temporaryStoreFile();
      writeFileSync(file, text);
      expect(refused(file)).toMatchObject({
        code: 'STORE_UNREADABLE',
        message: expect.stringContaining('import the file'),
      });
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  it('[C1] with a database’s header and garbage after it is refused with the reason and not changed', () => {
    for (const behind of ['', 'garbage'.repeat(1_000)]) {
      const file = temporaryStoreFile();
      writeFileSync(file, `SQLite format 3\0${behind}`);
      const before = readFileSync(file);
      const { code, message } = refused(file);
      expect(code).toBe('STORE_UNREADABLE');
      expect(message).toContain(file);
      // In a sentence of its own: the text of SQLite is for programmers.
      expect(message).toContain('cannot be opened: it is damaged, or not a database (SQLITE_NOTADB).');
      expect(message).toContain('save what can be read');
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it('[C1] whose path is a folder, or is below a file, is refused with the reason', () => {
    const folder = temporaryFolder();
    expect(refused(folder)).toEqual({
      code: 'STORE_UNREADABLE',
      message: `${folder} cannot be opened: it is a folder (EISDIR).`,
    });
    rmSync(`${folder}-lock`);
    const file = join(folder, 'file');
    writeFileSync(file, 'text');
    const { code, message } = refused(join(file, 'store'));
    expect(code).toBe('STORE_UNREADABLE');
    expect(message).toContain(`${file} cannot be opened`);
    expect(readFileSync(file, 'utf8')).toBe('text');
  });

  it.runIf(runsHere('a store without the right to it', NEEDS_A_USER))(
    '[C1] that this user has no right to is refused with the reason',
    () => {
      const file = temporaryStoreFile();
      writeFileSync(file, 'text');
      chmodSync(file, 0);
      const { code, message } = refused(file);
      expect(code).toBe('STORE_UNREADABLE');
      expect(message).toContain(`${file} cannot be opened: this user has no right to it`);
    },
  );

  it.each(['lock', 'owner'])(
    '[R6] whose -%s file cannot be created is not reported as in use',
    async name => {
      const file = temporaryStoreFile();
      mkdirSync(`${file}-${name}`);
      const { code, message } = refused(file);
      expect(code).toBe('STORE_UNREADABLE');
      expect(message).toContain(`${file}-${name} cannot be opened`);
      expect(existsSync(file)).toBe(false);
      rmdirSync(`${file}-${name}`);
      await open(file).close();
    },
  );

  it('[R6] whose lock file is damaged is not reported as in use', () => {
    const file = temporaryStoreFile();
    writeFileSync(`${file}-lock`, 'garbage'.repeat(1_000));
    const { code, message } = refused(file);
    expect(code).toBe('STORE_UNREADABLE');
    expect(message).toContain(
      `${file}-lock cannot be opened: it is damaged, or not a database (SQLITE_NOTADB).`,
    );
  });

  it('[R6] that was refused releases its lock', async () => {
    const file = temporaryStoreFile();
    writeFileSync(file, 'text');
    refused(file);
    writeFileSync(file, '');
    await open(file).close();
  });
});

describe('a reader', () => {
  it('without a snapshot after an error can read again', async () => {
    const file = temporaryStoreFile();
    const store = open(file);
    const reader = new ReadConnection(file);
    vi.spyOn(reader.tombstones, 'refresh').mockImplementationOnce(() => {
      throw new Error('the disk failed');
    });
    expect(() => reader.read(() => 1)).toThrow('the disk failed');
    expect(reader.db.inTransaction).toBe(false);
    expect(reader.read(() => 1)).toBe(1);
    expect(() =>
      reader.read(() => {
        throw new Error('the work failed');
      }),
    ).toThrow('the work failed');
    expect(reader.db.inTransaction).toBe(false);
    reader.close();
    await store.close();
  });
});

describe('a restart', () => {
  it('[D9, R1, R6] keeps definitions, schedules, pauses, counts and explicit expirations', async () => {
    const before = openTestEngine();
    const { client } = before;
    await client.collections.create({ name: 'c' });
    await write(
      client,
      'c',
      Array.from({ length: 100 }, (_, i) => ({ _id: String(i), a: NOON + DAY + i, b: NOON + HOUR + i })),
    );
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'a',
      source: on('a', { expireAfter: 1.5 }),
      schedule: { mode: 'every', everyMs: 5_000 },
    });
    await client.ttlIndexes.create({ collection: 'c', name: 'b', source: on('b') });
    await before.settle();
    await client.documents.setExpirations({ collection: 'c', ids: ['1', '2'], set: { never: true } });
    await client.documents.setExpirations({ collection: 'c', ids: ['3'], set: { after: 30 } });
    await client.reaper.pause({ collection: 'c', index: 'b' });
    await before.settle();
    const statesOf = async (test: typeof before) => ({
      collection: await test.client.collections.get({ collection: 'c' }),
      indexes: await test.client.ttlIndexes.list({ collection: 'c' }),
      reaper: (await test.client.reaper.get({})).pausedIndexes,
      timeline: await test.client.timeline.get({
        collection: 'c',
        from: NOON,
        to: NOON + 2 * DAY,
        buckets: 48,
      }),
    });
    const then = await statesOf(before);
    const after = await before.reopen();
    await after.settle();
    expect(await statesOf(after)).toEqual(then);
    await after.advance(3 * DAY);
    expect((await after.client.collections.get({ collection: 'c' })).documents).toBe(2);
    await after.stop();
    expect(disagreements(after.file)).toEqual([]);
  });

  it('[D9] continues an interrupted recount', async () => {
    const file = temporaryStoreFile();
    const first = openTestEngine({ file });
    await first.client.collections.create({ name: 'c' });
    await write(
      first.client,
      'c',
      Array.from({ length: 200 }, (_, i) => ({ a: NOON + HOUR + i, b: NOON + DAY + i })),
    );
    for (const name of ['a', 'b'])
      await first.client.ttlIndexes.create({ collection: 'c', name, source: on(name) });
    await first.settle();
    await first.stop();
    const clock = createManualClock(NOON);
    const store = open(file, clock);
    const definition = store.index('c', 'a');
    store.changeIndex('c', { ...definition, source: withExpireAfter(definition.source, 30) }, { by: 'ada' });
    const step = () => store.backfill({ kind: 'recount', collection: 'c' }, 0);
    expect(step()).toEqual({ rows: 8, finished: false });
    // Entries are written together with those of later rows, after a few seconds.
    clock.advance(6 * SECOND);
    expect(step()).toEqual({ rows: 8, finished: false });
    expect(step()).toEqual({ rows: 8, finished: false });
    expect(await store.reads.summaries(['c'], NOON)).toMatchObject([{ recounting: true, state: 'building' }]);
    await store.close();
    const test = openTestEngine({ file });
    await test.settle();
    expect((await test.client.jobs.list({})).map(({ kind, done }) => [kind, done])).toEqual([
      ['recount', 184],
    ]);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      recounting: false,
      withDeadline: 200,
    });
    await test.stop();
    expect(disagreements(file)).toEqual([]);
  });

  it('[A1, C1] after rows were swept and their numbers are free loses and restores no document', async () => {
    let test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await test.settle();
    for (let round = 0; round < 4; round++) {
      await write(
        test.client,
        'c',
        Array.from({ length: 20 }, (_, i) => ({
          _id: `${round} ${i}`,
          exp: test.clock.now() + (i < 15 ? SECOND : i < 18 ? HOUR : DAY * 90),
        })),
      );
      await test.advance(MINUTE);
      await test.client.documents.deleteMany({ collection: 'c', ids: [`${round} 19`] });
      test = await test.reopen(DAY);
      await test.settle();
      expect((await test.client.documents.list({ collection: 'c' })).documents.map(({ _id }) => _id)).toEqual(
        Array.from({ length: round + 1 }, (_, i) => `${i} 18`),
      );
    }
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});
