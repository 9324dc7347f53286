import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEngine } from '../../../../electron/engine/client.ts';
import { diskFull, isOutOfSpace } from '../../../../electron/engine/files/file-system-space.ts';
import { hasReserve, RESERVE_BYTES as RESERVE } from '../../../../electron/engine/files/reserve-file.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { EngineSupervisor } from '../../../../electron/host/engine-supervisor.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import { clientOn } from '../../../support/client.ts';
import { DAY, NOON, openTestEngine } from '../../../support/engine.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';
import { NO_QUOTA, useUpQuota } from '../../../support/used-up-quota.ts';

const MIB = 1024 * 1024;
/** Time limit of a read while the disk is full, ms: much longer than a read, much shorter than a restart. */
const READ_WITHIN_MS = 2_000;

/** An engine with a supervisor on real threads, as hosts start it. */
function supervisedEngine(storeFile: string) {
  const lines: string[] = [];
  let starts = 0;
  const supervisor = new EngineSupervisor(
    () => {
      starts += 1;
      return startEngine({
        store: { kind: 'file', file: storeFile },
        logLevel: 'error',
        version: '0.0.0-test',
        user: 'ada',
      });
    },
    systemClock,
    createLogger('warn', systemClock.now, line => lines.push(line)),
  );
  const ports: { close(): void }[] = [];
  const stop = async () => {
    for (const port of ports) port.close();
    await supervisor[Symbol.asyncDispose]();
  };
  onTestFinished(stop);
  const connect = (): Client => {
    const { port1, port2 } = new MessageChannel();
    supervisor.attach(port2);
    ports.push(port1);
    return clientOn(port1);
  };
  return { supervisor, connect, lines, stop, starts: () => starts };
}

async function until(condition: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('it did not come to pass in time');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

const INDEX: TtlIndexDefinition = {
  name: 'exp',
  source: { kind: 'field', field: 'exp', unit: 'milliseconds', expireAfter: 0 },
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
};

const text = 'x'.repeat(4_000);

/** Inserts until a call is refused. Returns the number of acknowledged documents and the error. */
async function writeUntilRefused(
  client: Client,
  prefix: string,
): Promise<{ written: string[]; error: unknown }> {
  const written: string[] = [];
  for (let i = 0; i < 10_000; i += 50) {
    const documents = Array.from({ length: 50 }, (_, k) => ({ _id: `${prefix}${i + k}`, text }));
    try {
      await client.documents.write({ params: { collection: 'c' }, body: documents });
      written.push(...documents.map(({ _id }) => _id));
    } catch (error) {
      return { written, error };
    }
  }
  throw new Error('the disk was never full');
}

describe('an error of a full disk', () => {
  it('[S1] is also recognised for a used-up quota, and for no other cause', () => {
    const file = temporaryStoreFile();
    const failed = (code: string) => Object.assign(new Error(`${code}: write`), { code });
    for (const code of ['EDQUOT', 'ENOSPC', 'SQLITE_FULL'])
      expect(isOutOfSpace(failed(code), file)).toBe(true);
    // SQLite does not report a quota: only a write shows it.
    for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN', 'EACCES', 'EIO'])
      expect(isOutOfSpace(failed(code), file)).toBe(false);
    // The disk itself has room.
    expect(diskFull(file, 1)).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringContaining('quota on it is used up'),
      data: { missingBytes: 0 },
    });
  });
});

describe.runIf(runsHere('a store whose quota is used up', NO_QUOTA))('a store whose quota is used up', () => {
  it('[S1] refuses writes with DISK_FULL, answers reads, and recovers when there is room', async () => {
    const file = temporaryStoreFile();
    const { client, clock, engine } = openTestEngine({ file, reserveBytes: MIB });
    await client.collections.create({ name: 'c' });
    await client.documents.put({ params: { collection: 'c', id: 'a' }, body: { a: 1 } });
    clock.advance(2_000);
    await until(() => hasReserve(file, MIB));
    const endQuota = await useUpQuota([
      ...['', '-wal', '-reserve'].map(suffix => `${file}${suffix}`),
      `${file}-reserve.${process.pid}`,
    ]);
    const put = () => client.documents.put({ params: { collection: 'c', id: 'b' }, body: { text } });
    await expect(put()).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringContaining('quota on it is used up'),
    });
    expect((await client.documents.list({ collection: 'c' })).documents).toHaveLength(1);
    // The disk has room, but the reserve cannot be made again: writes stay refused.
    clock.advance(1_000);
    await until(() => !existsSync(`${file}-reserve`));
    expect(engine.backend.disk.full).not.toBeNull();
    await expect(put()).rejects.toMatchObject({ code: 'DISK_FULL' });
    await endQuota();
    await until(() => {
      clock.advance(5_000);
      return engine.backend.disk.full === null;
    });
    await put();
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(2);
  });
});

describe.runIf(runsHere('a store on a full disk', NO_SMALL_DISK))('a store on a full disk', () => {
  it('[S1] answers reads, refuses writes with the missing bytes, expires documents, recovers by itself, and opens', async () => {
    const disk = smallDisk(64 * MIB);
    const file = join(disk.folder, 's.sandglass');
    const { supervisor, connect, starts, stop } = supervisedEngine(file);
    await supervisor.opened;
    const client = connect();
    await client.collections.create({ name: 'c' });
    await client.reaper.pause({ collection: 'c' });
    await client.documents.write({
      params: { collection: 'c' },
      body: Array.from({ length: 200 }, (_, i) => ({ _id: `due${i}`, text, exp: Date.now() })),
    });
    await until(() => hasReserve(file, RESERVE));
    expect(statSync(`${file}-reserve`).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-reserve`).blocks * 512).toBeGreaterThanOrEqual(RESERVE);

    await client.settings.update({ retention: 0 });
    await client.ttlIndexes.create({ collection: 'c', ...INDEX });
    disk.fill(4 * MIB);
    const { written, error } = await writeUntilRefused(client, 'a');
    expect(error).toMatchObject({ code: 'DISK_FULL', status: 507 });
    expect(error).toMatchObject({ data: { missingBytes: expect.any(Number), neededBytes: 2 * RESERVE } });
    const { id: job } = await client.imports.start({ collection: 'c' });
    await expect(client.imports.append({ job, text: '{"_id":"imported"}\n' })).rejects.toMatchObject({
      code: 'DISK_FULL',
      status: 507,
    });
    expect(await client.jobs.get({ job })).toMatchObject({ state: 'failed', inserted: 0 });
    expect(existsSync(`${file}-reserve`)).toBe(false);

    // Reads continue, and report it.
    for (let i = 0; i < 20; i++) {
      const began = performance.now();
      const page = await client.documents.list({ collection: 'c', limit: 100 });
      expect(page.documents.length).toBe(100);
      expect(performance.now() - began).toBeLessThan(READ_WITHIN_MS);
    }
    const state = await client.reaper.get();
    expect(state.diskFull).toMatchObject({ freeBytes: expect.any(Number), neededBytes: 2 * RESERVE });
    expect((await client.store.info()).diskFull).not.toBeNull();
    await expect(
      client.documents.put({ params: { collection: 'c', id: 'one' }, body: { a: 1 } }),
    ).rejects.toMatchObject({ code: 'DISK_FULL' });

    // Due documents are removed, and their space is free for new ones.
    const { neededBytes } = (await client.reaper.get()).diskFull ?? { neededBytes: 0 };
    await client.reaper.resume({ collection: 'c' });
    await until(async () => (await client.collections.get({ collection: 'c' })).documents === written.length);
    await until(
      async () => ((await client.reaper.get()).diskFull?.neededBytes ?? 0) < neededBytes - 200 * 4_000,
    );
    expect((await client.reaper.get()).problem).toBeNull();

    // No space is left, not even that of the reserve: reads continue.
    disk.fill();
    expect((await client.documents.list({ collection: 'c', limit: 100 })).documents.length).toBe(100);

    // Recovers without a restart, and nothing that was acknowledged is gone.
    disk.empty();
    await until(async () => (await client.reaper.get()).diskFull === null);
    expect(statSync(`${file}-reserve`).size).toBe(RESERVE);
    await client.documents.put({ params: { collection: 'c', id: 'one' }, body: { a: 1 } });
    expect(starts()).toBe(1);
    const { documents } = await client.collections.get({ collection: 'c' });
    expect(documents).toBe(1 + written.length);

    // Opens on a full disk, by its reserve.
    await stop();
    disk.fill();
    const again = supervisedEngine(file);
    await again.supervisor.opened;
    const second = again.connect();
    expect(await second.collections.get({ collection: 'c' })).toMatchObject({ documents });
    await expect(
      second.documents.put({ params: { collection: 'c', id: 'two' }, body: {} }),
    ).rejects.toMatchObject({ code: 'DISK_FULL' });
    disk.empty();
    await until(async () => (await second.store.info()).diskFull === null);
    await second.documents.put({ params: { collection: 'c', id: 'two' }, body: {} });
  }, 60_000);

  it('[S1, E1] leaves documents that would be changed as they are, and deletes those that are due with them', async () => {
    const disk = smallDisk(64 * MIB);
    const file = join(disk.folder, 's.sandglass');
    const { supervisor, connect } = supervisedEngine(file);
    await supervisor.opened;
    const client = connect();
    await client.collections.create({ name: 'c' });
    // A batch has fewer documents than are to be changed first.
    await client.settings.update({ retention: 0, batchSize: 10 });
    await client.reaper.pause({ collection: 'c' });
    const ids = (action: string) => Array.from({ length: 20 }, (_, i) => `${action}${i}`);
    const at = Date.now() + 2_000;
    for (const action of ['patch', 'delete'] as const)
      for (const id of ids(action)) {
        await client.documents.put({ params: { collection: 'c', id }, body: { text } });
        await client.documents.setExpiration({
          params: { collection: 'c', id },
          // Those that are changed are due first.
          body: action === 'patch' ? { at, onExpire: { action, patch: { isOld: true } } } : { at: at + 1 },
        });
      }
    await until(() => hasReserve(file, RESERVE));
    disk.fill(4 * MIB);
    expect((await writeUntilRefused(client, 'a')).error).toMatchObject({ code: 'DISK_FULL' });

    await until(() => Date.now() > at + 1);
    await client.reaper.resume({ collection: 'c' });
    const stored = async (id: string) =>
      client.documents.get({ collection: 'c', id, includeExpired: true }).catch(() => null);
    await until(async () => (await Promise.all(ids('delete').map(stored))).every(one => one === null));
    await until(async () => (await client.reaper.get()).problem !== null);
    for (const one of await Promise.all(ids('patch').map(stored)))
      expect(one?.document).not.toHaveProperty('isOld');

    disk.empty();
    await until(async () =>
      (await Promise.all(ids('patch').map(stored))).every(one => one?.document['isOld'] === true),
    );
  }, 60_000);

  it('[S1] keeps room for pages of its log that are not in the file yet, while a reader delays them', async () => {
    const disk = smallDisk(96 * MIB);
    const file = join(disk.folder, 's.sandglass');
    const { supervisor, connect } = supervisedEngine(file);
    await supervisor.opened;
    const client = connect();
    await client.collections.create({ name: 'c' });
    await client.settings.update({ retention: 0 });
    await client.ttlIndexes.create({ collection: 'c', ...INDEX });
    await until(() => hasReserve(file, RESERVE));
    // A long read, as a backup is one: nothing of the log that is newer can be copied into the file.
    const snapshot = new Sqlite(file, { readonly: true });
    onTestFinished(() => void snapshot.close());
    snapshot.exec('BEGIN');
    snapshot.prepare('SELECT count(*) FROM meta').get();
    const exp = Date.now() + 3_000;
    let refusal: unknown;
    for (let i = 0; i < 1_600 && refusal === undefined; i += 16) {
      const body = Array.from({ length: 16 }, (_, k) => ({ _id: `${i + k}`, text: text.repeat(16), exp }));
      refusal = await client.documents.write({ params: { collection: 'c' }, body }).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    expect(refusal).toMatchObject({ code: 'DISK_FULL' });
    // The reaper and the sweep write as well, and must leave that room.
    await until(async () => (await client.collections.get({ collection: 'c' })).documents === 0);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    snapshot.close();
    await until(async () => (await client.store.info()).diskFull === null, 15_000);
    await client.documents.put({ params: { collection: 'c', id: 'after' }, body: {} });
    expect((await client.reaper.get()).problem).toBeNull();
  }, 60_000);

  it('[S1] fails to open with DISK_FULL without room for its reserve, and opens when there is room', async () => {
    const disk = smallDisk(4 * MIB);
    const file = join(disk.folder, 's.sandglass');
    disk.fill();
    const { supervisor, connect } = supervisedEngine(file);
    await expect(supervisor.opened).rejects.toMatchObject({ code: 'DISK_FULL' });
    disk.empty();
    await until(() => supervisor.current !== undefined);
    await connect().collections.create({ name: 'c' });
  }, 60_000);

  it('[S1] logs once that a small disk has no reserve, and recovers after the disk was full', async () => {
    const disk = smallDisk(6 * MIB);
    const { client, clock, complaints } = openTestEngine({
      file: join(disk.folder, 's.sandglass'),
      reserveBytes: 4 * MIB,
    });
    expect(complaints).toEqual([expect.stringContaining('no reserve for a full disk is kept')]);
    await client.collections.create({ name: 'c' });
    disk.fill();
    expect((await writeUntilRefused(client, 'a')).error).toMatchObject({ code: 'DISK_FULL' });
    disk.empty();
    clock.advance(1_000);
    await until(async () => (await client.store.info()).diskFull === null);
    await client.documents.put({ params: { collection: 'c', id: 'b' }, body: {} });
    expect(complaints.filter(line => line.includes('no reserve'))).toHaveLength(1);
  });

  it('[S1] frees space by hand while it is full: documents, indexes, collections, settings', async () => {
    const disk = smallDisk(8 * MIB);
    const { client, clock } = openTestEngine({
      file: join(disk.folder, 's.sandglass'),
      reserveBytes: 2 * MIB,
    });
    await client.collections.create({ name: 'c' });
    await client.collections.create({ name: 'other' });
    await client.documents.put({ params: { collection: 'c', id: 'a' }, body: { a: 1 } });
    clock.advance(2_000);
    await until(() => hasReserve(join(disk.folder, 's.sandglass'), 2 * MIB));
    disk.fill();
    await writeUntilRefused(client, 'w');
    await client.settings.update({ retention: 0 });
    await client.documents.delete({ collection: 'c', id: 'a' });
    await client.reaper.pause({ collection: 'c' });
    await client.collections.drop({ collection: 'other' });
    await expect(client.collections.create({ name: 'new' })).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expect(client.tokens.create({ name: 't', permission: 'read' })).rejects.toMatchObject({
      code: 'DISK_FULL',
    });
  });

  it('[S1, B1] refuses a backup that would not fit, and leaves no part of it', async () => {
    const disk = smallDisk(4 * MIB);
    const { client, engine } = openTestEngine({ file: join(disk.folder, 's.sandglass') });
    await client.collections.create({ name: 'c' });
    disk.fill(64 * 1024);
    const { id } = await client.store.backup({ file: join(disk.folder, 'copy.sandglass') });
    await until(() => engine.jobs.get(id).state !== 'running');
    expect(engine.jobs.get(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('is full') });
    expect(readdirSync(disk.folder).filter(name => name.startsWith('copy'))).toEqual([]);
  });

  it('[S1, D9] continues an index build when there is room; an import fails with its committed lines, and is not resumed', async () => {
    const disk = smallDisk(12 * MIB);
    const { client, clock, engine } = openTestEngine({
      file: join(disk.folder, 's.sandglass'),
      reserveBytes: 2 * MIB,
    });
    await client.collections.create({ name: 'c' });
    clock.advance(2_000);
    await until(() => hasReserve(join(disk.folder, 's.sandglass'), 2 * MIB));
    await client.documents.write({
      params: { collection: 'c' },
      body: Array.from({ length: 500 }, (_, i) => ({ _id: `${i}`, exp: NOON + DAY })),
    });
    engine.backend.createIndex('c', INDEX, { by: 'ada' });
    disk.fill(2 * MIB);
    const { id } = await client.imports.start({ collection: 'c' });
    await expect(
      (async () => {
        for (let i = 0; ; i++)
          await client.imports.append({ job: id, text: `{"_id":"i${i}","text":"${'x'.repeat(100_000)}"}\n` });
      })(),
    ).rejects.toMatchObject({ code: 'DISK_FULL' });
    const job = engine.jobs.get(id);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('is full') });
    expect(job.committedLines).toBeGreaterThan(0);
    expect(job.inserted).toBe(job.committedLines);
    engine.indexBuilds.startPending();
    await engine.indexBuilds.whenIdle();
    expect((await client.ttlIndexes.list({ collection: 'c' }))[0]).toMatchObject({ state: 'building' });
    disk.empty();
    clock.advance(1_000);
    await until(async () => (await client.store.info()).diskFull === null);
    await engine.indexBuilds.whenIdle();
    expect((await client.ttlIndexes.list({ collection: 'c' }))[0]).toMatchObject({ state: 'ready' });
    const { documents } = await client.collections.get({ collection: 'c' });
    expect(documents).toBe(500 + (job.committedLines ?? 0));
  });
});
