import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listIds, on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { Random } from '../../../support/random.ts';
import { disagreements } from '../../../support/recount.ts';
import { ended, leavesOf, overwrite, PAGE_BYTES, recovered, schemaPages } from '../../../support/recovery.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const COUNT = 2_000;

/** A closed store with two collections, explicit expirations, a document that has expired and others that are due. */
async function closedStore(): Promise<string> {
  const test = openTestEngine();
  const { client } = test;
  for (const collection of ['sessions', 'notes']) await client.collections.create({ name: collection });
  await client.ttlIndexes.create({ collection: 'sessions', name: 'exp', source: on('exp') });
  await test.settle();
  await write(client, 'sessions', [{ _id: 'expired', exp: NOON + SECOND }]);
  await write(
    client,
    'sessions',
    Array.from({ length: COUNT }, (_, i) => ({ _id: `s${i}`, exp: NOON + HOUR + i, text: 'x'.repeat(300) })),
  );
  await write(client, 'notes', [{ _id: 'pinned' }, { _id: 'by hand' }, { _id: 'plain', big: 1e15 }]);
  await client.documents.setExpiration({
    params: { collection: 'notes', id: 'pinned' },
    body: { never: true },
  });
  await client.documents.setExpiration({
    params: { collection: 'notes', id: 'by hand' },
    body: { at: NOON + 2 * HOUR },
  });
  await test.advance(2 * SECOND);
  await test.settle();
  const copy = join(temporaryFolder(), 'damaged.sandglass');
  await test.stop();
  copyFileSync(test.file, copy);
  return copy;
}

describe('recovery of a damaged store', () => {
  it('[S3] copies everything of one that is whole, except documents that had expired', async () => {
    const file = await closedStore();
    const before = readFileSync(file);
    const { client, job, file: target, stop } = await recovered(file);
    expect(job).toMatchObject({
      kind: 'recovery',
      state: 'done',
      subject: 'damaged.sandglass',
      done: COUNT + 3,
      result: '2,003 documents recovered, of 2 collections',
    });
    expect(await listIds(client, { collection: 'sessions' })).toHaveLength(COUNT);
    expect(await client.ttlIndexes.list({ collection: 'sessions' })).toMatchObject([{ name: 'exp' }]);
    const notes = await client.documents.list({ collection: 'notes', limit: 10 });
    expect(notes.documents).toMatchObject([
      { _id: 'by hand', deadlineAt: NOON + 2 * HOUR, deadlineFrom: 'explicit' },
      { _id: 'pinned', deadlineAt: null, deadlineFrom: 'explicit' },
      { _id: 'plain', deadlineAt: null, deadlineFrom: null },
    ]);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${target}-damaged`)).toBe(false);
    await stop();
    expect(disagreements(target)).toEqual([]);
  });

  it('[S3] loses only documents of damaged pages, wherever they are', async () => {
    const file = await closedStore();
    const whole = readFileSync(file);
    const pages = Math.floor(whole.length / PAGE_BYTES);
    for (let seed = 1; seed <= 6; seed++) {
      const random = new Random(seed);
      const damaged = join(temporaryFolder(), 'damaged.sandglass');
      const bytes = Buffer.from(whole);
      for (let i = 0; i < 5; i++) {
        const at = random.between(0, pages - 1) * PAGE_BYTES;
        for (let k = 0; k < PAGE_BYTES; k++) bytes[at + k] = random.between(0, 255);
      }
      writeFileSync(damaged, bytes);
      const { client, job, file: target, stop } = await recovered(damaged);
      const kept = await client.collections.list();
      const found = kept.reduce((sum, { documents }) => sum + documents, 0);
      expect([seed, job.state, job.error]).toEqual([seed, 'done', null]);
      expect([seed, found > COUNT * 0.8]).toEqual([seed, true]);
      expect([seed, await listIds(client, { collection: 'sessions' })]).toEqual([
        seed,
        expect.not.arrayContaining(['expired']),
      ]);
      await stop();
      expect(disagreements(target)).toEqual([]);
    }
  });

  it.each([
    ['the last page of documents, which covers all higher numbers of rows', (leaves: number) => [leaves - 1]],
    ['the first and the last page', (leaves: number) => [0, leaves - 1]],
    ['a page in the middle and the last two', (leaves: number) => [leaves >> 1, leaves - 2, leaves - 1]],
  ])('[S3] ends, and loses only their documents, if %s are damaged', async (_, chosen) => {
    const file = await closedStore();
    const leaves = leavesOf(file, 'documents_1');
    const damaged = chosen(leaves.length).map(i => leaves[i] ?? { page: 0, cells: 0 });
    overwrite(file, bytes => {
      for (const { page } of damaged) bytes.fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
    });
    const { client, job } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', error: null });
    const lost = damaged.reduce((sum, { cells }) => sum + cells, 0);
    expect(lost).toBeGreaterThan(0);
    expect(await listIds(client, { collection: 'sessions' })).toHaveLength(COUNT - lost);
  });

  it('[S3] finds tables by their pages if the list of tables is lost', async () => {
    const file = await closedStore();
    const pages = schemaPages(file);
    expect(pages.length).toBeGreaterThan(1);
    overwrite(file, bytes => {
      for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
    });
    const { client, job, file: target, stop } = await recovered(file);
    expect(job).toMatchObject({
      state: 'done',
      done: COUNT + 3,
      result: '2,003 documents recovered, of 2 collections',
    });
    expect(await listIds(client, { collection: 'sessions' })).toHaveLength(COUNT);
    expect(await client.ttlIndexes.list({ collection: 'sessions' })).toMatchObject([{ name: 'exp' }]);
    expect((await client.documents.list({ collection: 'notes', limit: 10 })).documents).toMatchObject([
      { _id: 'by hand', deadlineAt: NOON + 2 * HOUR, deadlineFrom: 'explicit' },
      { _id: 'pinned', deadlineAt: null, deadlineFrom: 'explicit' },
      { _id: 'plain', document: { big: 1e15 } },
    ]);
    await stop();
    expect(disagreements(target)).toEqual([]);
  });

  it('[S3] finds tables by the part of the list of tables that is left', async () => {
    const file = await closedStore();
    for (const page of schemaPages(file)) {
      const damaged = join(temporaryFolder(), 'damaged.sandglass');
      copyFileSync(file, damaged);
      overwrite(damaged, bytes => bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
      const { client, job, stop } = await recovered(damaged);
      expect([page, job.state, job.done, job.error]).toEqual([page, 'done', COUNT + 3, null]);
      expect((await client.collections.list()).map(({ name }) => name).sort()).toEqual(['notes', 'sessions']);
      await stop();
    }
  });

  it('[S3] leaves out removed documents and dropped collections, also without the list of tables', async () => {
    const test = openTestEngine();
    for (const collection of ['kept', 'dropped', 'emptied']) {
      await test.client.collections.create({ name: collection });
      await write(
        test.client,
        collection,
        Array.from({ length: 300 }, (_, i) => ({ _id: `${collection} ${i}`, text: 'x'.repeat(200) })),
      );
    }
    await test.client.collections.drop({ collection: 'dropped' });
    await test.client.documents.deleteMany({ collection: 'emptied', filter: {} });
    await test.client.documents.deleteMany({
      collection: 'kept',
      ids: Array.from({ length: 150 }, (_, i) => `kept ${i}`),
    });
    await test.settle();
    await test.stop();
    for (const hasHead of [true, false]) {
      const damaged = join(temporaryFolder(), 'damaged.sandglass');
      copyFileSync(test.file, damaged);
      const pages = schemaPages(test.file);
      overwrite(damaged, bytes => {
        for (const page of pages)
          bytes.fill(0xa5, (page - 1) * PAGE_BYTES + (page === 1 && hasHead ? 100 : 0), page * PAGE_BYTES);
      });
      const { client, job, stop } = await recovered(damaged);
      expect([hasHead, job.state, job.done]).toEqual([hasHead, 'done', 150]);
      expect(await listIds(client, { collection: 'kept' })).toEqual(
        Array.from({ length: 150 }, (_, i) => `kept ${i + 150}`).sort(),
      );
      await stop();
    }
  });

  it('[S3] writes a lost head of the file again', async () => {
    const file = await closedStore();
    overwrite(file, bytes => bytes.fill(0, 0, 100));
    const { job } = await recovered(file);
    expect(job).toMatchObject({ state: 'done', done: COUNT + 3 });
  });

  it('[R9] holds what is due at once', async () => {
    const file = await closedStore();
    const test = openTestEngine({ startAt: NOON + 2 * HOUR });
    const job = await ended(test.client, (await test.client.store.recover({ file })).id);
    expect(job.state).toBe('done');
    await test.settle();
    expect(await listIds(test.client, { collection: 'sessions', includeExpired: true })).toHaveLength(COUNT);
    const { holds } = await test.client.reaper.get();
    expect(holds).toMatchObject([
      { collection: 'sessions', cause: 'import', due: COUNT },
      { collection: 'notes', cause: 'import', due: 1 },
    ]);
  });

  it('[S3] refuses a store with collections, an open file and one of which nothing can be read', async () => {
    const file = await closedStore();
    const { client } = await recovered(file);
    await expect(client.store.recover({ file })).rejects.toMatchObject({ code: 'EXPECTATION_FAILED' });
    const open = openTestEngine();
    const other = openTestEngine();
    const inUse = await ended(other.client, (await other.client.store.recover({ file: open.file })).id);
    expect(inUse).toMatchObject({ state: 'failed', error: 'test.sandglass is open. Close it first.' });
    const noise = join(temporaryFolder(), 'noise.sandglass');
    writeFileSync(noise, Buffer.alloc(100_000, 0xa5));
    const nothing = await ended(other.client, (await other.client.store.recover({ file: noise })).id);
    expect(nothing).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Nothing can be read of'),
    });
    const missing = await ended(other.client, (await other.client.store.recover({ file: `${noise}2` })).id);
    expect(missing).toMatchObject({ state: 'failed', error: expect.stringContaining('There is no file') });
  });
});
