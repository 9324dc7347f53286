import { chmodSync, copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestEngine } from '../../../support/engine.ts';
import { NEEDS_POSIX, runsHere } from '../../../support/runs-here.ts';
import { temporaryFolder, temporaryStoreFile } from '../../../support/temporary.ts';
import { startTestThread } from '../../../support/thread.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe.runIf(runsHere('files of a store', NEEDS_POSIX))('files of a store', () => {
  it('are readable by their owner only, with any umask: the store, its log, its lock and its backups', {
    timeout: 60_000,
  }, async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const file = temporaryStoreFile();
    const { client, stop } = await startTestThread(file);
    await client.collections.create({ name: 'c' });
    await client.tokens.create({ name: 't', permission: 'read' });
    const copy = join(temporaryFolder(), 'copy.sandglass');
    const { id } = await client.store.backup({ file: copy });
    await expect
      .poll(async () => (await client.jobs.get({ job: id })).state, { timeout: 15_000 })
      .toBe('done');
    expect(modeOf(copy)).toBe('600');
    const names = readdirSync(dirname(file));
    expect(names).toEqual(
      expect.arrayContaining(['test.sandglass', 'test.sandglass-wal', 'test.sandglass-shm']),
    );
    expect(names.map(name => [name, modeOf(join(dirname(file), name))])).toEqual(
      names.map(name => [name, '600']),
    );
    await stop();
  });

  it('lose the permissions of other users that an earlier version left', async () => {
    const { file, stop } = openTestEngine();
    await stop();
    chmodSync(file, 0o644);
    const again = openTestEngine({ file });
    await again.client.collections.create({ name: 'c' });
    for (const path of [file, `${file}-wal`, `${file}-shm`])
      expect([path, modeOf(path)]).toEqual([path, '600']);
  });
});

describe('[B1, P1] tokens', () => {
  const hash = (n: number) => String(n).repeat(64);

  it('[B1] are in no backup, and a store replaced by its backup keeps its present tokens', async () => {
    const { file, client, stop } = openTestEngine();
    const { token } = await client.tokens.create({ name: 'early', permission: 'read' });
    expect(token).toMatch(/^[\w-]{43}$/);
    const copy = join(temporaryFolder(), 'copy.sandglass');
    const { id } = await client.store.backup({ file: copy });
    await expect
      .poll(async () => (await client.jobs.get({ job: id })).state, { timeout: 15_000 })
      .toBe('done');
    await client.tokens.create({ name: 'late', permission: 'configure' });
    await client.tokens.revoke({ name: 'early' });
    await stop();

    const beside = openTestEngine({ file: copy });
    expect(await beside.client.tokens.list()).toEqual([]);
    await beside.stop();

    for (const suffix of ['-wal', '-shm']) expect(existsSync(file + suffix)).toBe(false);
    copyFileSync(copy, file);
    const inPlace = openTestEngine({ file });
    expect((await inPlace.client.tokens.list()).map(({ name }) => name)).toEqual(['late']);
  });

  it('[P1] of a store of an earlier version are kept, but not those of a backup of one', async () => {
    for (const isBackup of [false, true]) {
      const { file, stop } = openTestEngine();
      await stop();
      const db = new Sqlite(file);
      db.prepare('INSERT INTO tokens VALUES (?, ?, ?, ?, ?, NULL)').run('kept', hash(1), 'write', 5, 'ada');
      if (isBackup) db.prepare(`INSERT INTO meta VALUES ('restoredFrom', '{}')`).run();
      db.close();
      const again = openTestEngine({ file });
      expect(await again.client.tokens.list()).toMatchObject(
        isBackup ? [] : [{ name: 'kept', permission: 'write', createdAt: 5, expiresAt: null }],
      );
      expect(await again.client.tokens.whose({ sha256: hash(1) })).toEqual(
        isBackup ? null : { name: 'kept', permission: 'write' },
      );
      await again.stop();
      const after = new Sqlite(file, { readonly: true });
      expect(after.prepare('SELECT count(*) FROM tokens').pluck().get()).toBe(0);
      after.close();
      const third = openTestEngine({ file });
      expect(await third.client.tokens.list()).toHaveLength(isBackup ? 0 : 1);
      await third.stop();
    }
  });
});
