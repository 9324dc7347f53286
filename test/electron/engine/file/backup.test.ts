import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { writeBackup } from '../../../../electron/engine/backends/embedded/file/backup.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { listIds, on, refusal, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const collection = 'c';
const PAGE_BYTES = 4_096;
/** The first byte of a page that holds an index or a table without row numbers. */
const LEAF_WITHOUT_ROWID = 10;
/** Offset of a page's number of rows. */
const CELLS_AT = 3;

async function ended(client: Client, id: string) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

async function backup(client: Client, file: string) {
  return ended(client, (await client.store.backup({ file })).id);
}

/** Removes the last key from the list of a page of keys, but keeps its bytes. */
function damageKeys(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (page[0] !== LEAF_WITHOUT_ROWID || !page.includes('key-1')) continue;
    page.writeUInt16BE(page.readUInt16BE(CELLS_AT) - 1, CELLS_AT);
    writeFileSync(file, bytes);
    return;
  }
  throw new Error('there is no page of keys');
}

function many(count: number, exp: number) {
  return Array.from({ length: count }, (_, i) => ({ _id: `d${i}`, exp, text: 'x'.repeat(500) }));
}

async function withDocuments(count = 500) {
  const test = openTestEngine();
  await test.client.collections.create({ name: collection });
  await test.client.ttlIndexes.create({ collection, name: 'exp', source: on('exp'), retention: 60 });
  await test.settle();
  await write(test.client, collection, many(count, NOON + HOUR));
  return { ...test, file: test.file, copy: join(temporaryFolder(), 'copy.sandglass') };
}

describe('a backup', () => {
  it('[B1] has the whole state of the store: documents, indexes, pauses, settings, restorable copies', async () => {
    const { client, copy, engine, advance, file } = await withDocuments();
    await write(client, collection, [{ _id: 'gone', exp: NOON + SECOND }]);
    await advance(SECOND);
    engine.backend.settings.change({ logSeconds: 7_200 });
    await client.reaper.pause({ collection, index: 'exp' });
    const job = await backup(client, copy);
    expect(job).toMatchObject({ kind: 'backup', state: 'done', result: copy, unit: 'bytes' });
    expect(job.done).toBe(readFileSync(copy).length);
    expect(readdirSync(dirname(copy))).toEqual(['copy.sandglass']);
    const before = await client.ttlIndexes.list({ collection });
    // Written after the backup: the backup does not contain it.
    await write(client, collection, [{ _id: 'later' }]);

    const db = new Sqlite(copy, { readonly: true });
    const restoredFrom = db.prepare(`SELECT value FROM meta WHERE key = 'restoredFrom'`).pluck().get();
    db.close();
    expect(JSON.parse(String(restoredFrom))).toEqual({ file, at: NOON + SECOND });
    const restored = openTestEngine({ file: copy, startAt: NOON + 2 * SECOND });
    await restored.settle();
    const ids = await listIds(restored.client, { collection });
    expect(ids).toHaveLength(500);
    expect(ids).not.toContain('later');
    const after = await restored.client.ttlIndexes.list({ collection });
    const factsOf = (indexes: typeof after) =>
      indexes.map(({ name, source, paused, retention }) => ({ name, source, paused, retention }));
    expect(factsOf(after)).toEqual(factsOf(before));
    expect(restored.engine.backend.settings.get().logSeconds).toBe(7_200);
    const [expiry] = (await restored.client.metrics.expired({})).expired;
    await restored.client.expired.restore({ what: { ids: [expiry?.id ?? ''] } });
    expect(await listIds(restored.client, { collection })).toContain('gone');
    await restored.stop();
    expect(disagreements(copy)).toEqual([]);
  });

  it('[B1, R9] that is opened later holds due documents, so that none is removed at once', async () => {
    const { client, copy } = await withDocuments();
    await backup(client, copy);
    const restored = openTestEngine({ file: copy, startAt: NOON + 2 * HOUR });
    await restored.advance(MINUTE);
    const summary = await restored.client.collections.get({ collection });
    expect(summary).toMatchObject({ documents: 500, overdue: 500, state: 'held' });
    expect(summary.holds).toMatchObject([{ cause: 'restored backup', due: 500 }]);
    // The same for a backup that is copied over the closed store.
    const { client: again, copy: other, stop, file } = await withDocuments();
    await backup(again, other);
    await stop();
    copyFileSync(other, file);
    const instead = openTestEngine({ file, startAt: NOON + 2 * HOUR });
    await instead.advance(MINUTE);
    expect(await instead.client.collections.get({ collection })).toMatchObject({
      documents: 500,
      state: 'held',
    });
  });

  it('[B1] has the state of one revision, also during writes, and delays no write', async () => {
    const { client, copy, engine } = await withDocuments(20_000);
    const { id } = await client.store.backup({ file: copy });
    const { revision } = engine.backend;
    let written = 0;
    while ((await client.jobs.get({ job: id })).state === 'running') {
      // Two documents in one change set: a backup has both or neither.
      await write(client, collection, [{ _id: `left${written}` }, { _id: `right${written}` }], {
        atomic: true,
      });
      written += 1;
    }
    expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'done' });
    expect(written).toBeGreaterThan(3);
    expect(engine.backend.revision).toBe(revision + written);
    const restored = openTestEngine({ file: copy });
    await restored.settle();
    const ids = await listIds(restored.client, { collection, limit: 1_000 });
    const left = ids.filter(found => found.startsWith('left')).length;
    expect(ids.filter(found => found.startsWith('right'))).toHaveLength(left);
    expect(left).toBeLessThan(written);
    expect(ids.filter(found => found.startsWith('d'))).toHaveLength(20_000);
    await restored.stop();
    expect(disagreements(copy)).toEqual([]);
  });

  it('[B1] overwrites no file, and is refused with the reason', async () => {
    const { client, copy, file } = await withDocuments(1);
    writeFileSync(copy, 'somebody’s');
    expect(await backup(client, copy)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('already'),
    });
    expect(readFileSync(copy, 'utf8')).toBe('somebody’s');
    expect(await backup(client, file)).toMatchObject({ state: 'failed' });
    expect(await backup(client, 'copy.sandglass')).toMatchObject({
      error: expect.stringContaining('not a full path'),
    });
    expect(await backup(client, join(dirname(copy), 'nowhere', 'copy'))).toMatchObject({
      error: 'The folder for copy does not exist.',
    });
  });

  it('[B1] does not overwrite a file of its name that exists at its end', async () => {
    const { file, copy } = await withDocuments(10);
    const writing = writeBackup({ store: file, file: copy, at: NOON }, () =>
      writeFileSync(copy, 'somebody’s'),
    );
    await expect(writing).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    expect(readFileSync(copy, 'utf8')).toBe('somebody’s');
    expect(readdirSync(dirname(copy))).toEqual(['copy.sandglass']);
  });

  it('[B1] of a store whose file is damaged is detected, and not kept', async () => {
    const { client, file, copy, stop } = await withDocuments(0);
    const ids = Array.from({ length: 300 }, (_, i) => ({ _id: `key-${String(i).padStart(3, '0')}` }));
    await write(client, collection, ids);
    await stop();
    damageKeys(file);
    const damaged = openTestEngine({ file });
    const job = await backup(damaged.client, copy);
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('is damaged') });
    expect(readdirSync(dirname(copy))).toEqual([]);
  });

  it('[B1] that is cancelled, or interrupted by the end of the engine, leaves no file', async () => {
    const { client, copy, stop } = await withDocuments(20_000);
    const { id } = await client.store.backup({ file: copy });
    await client.jobs.cancel({ job: id });
    expect(await ended(client, id)).toMatchObject({ state: 'cancelled' });
    expect(readdirSync(dirname(copy))).toEqual([]);
    await client.store.backup({ file: copy });
    await stop();
    expect(existsSync(copy)).toBe(false);
    expect(readdirSync(dirname(copy))).toEqual([]);
  });

  it('[B1] is written one at a time: of forty simultaneous calls eight wait, and the rest is refused', async () => {
    const { client, copy } = await withDocuments();
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => client.store.backup({ file: `${copy}-${n}.sandglass` })),
    );
    const jobs = asked.flatMap(one => (one.status === 'fulfilled' ? [one.value.id] : []));
    const refused = asked.flatMap(one => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(jobs).toHaveLength(9);
    expect(new Set(refused)).toEqual(new Set(['BUSY']));
    // A backup that is cancelled before its turn writes nothing and is skipped.
    const last = jobs.at(-1) ?? '';
    await client.jobs.cancel({ job: last });
    let most = 0;
    for (let isOver = false; !isOver; ) {
      const partial = readdirSync(dirname(copy)).filter(name => name.endsWith('.partial'));
      most = Math.max(most, partial.length);
      isOver = (await client.jobs.list()).every(({ state }) => state !== 'running');
    }
    expect(most).toBeLessThanOrEqual(1);
    expect(await ended(client, last)).toMatchObject({ state: 'cancelled' });
    expect(readdirSync(dirname(copy))).toHaveLength(8);
    expect(await backup(client, copy)).toMatchObject({ state: 'done' });
  });

  it('[P1, B1] requires the permission configure', async () => {
    const { client } = openTestEngine({ permission: 'write' });
    expect((await refusal(client.store.backup({ file: '/tmp/x' }))).code).toBe('PERMISSION_DENIED');
  });
});
