import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';
const LEVELS = [1_000, 60_000, 3_600_000, 86_400_000];

/** Writes a wrong entry, due at `reference`, for every document of a closed store into the index table `of`. */
function addEntries(file: string, of: 'index' | 'explicit', ids: readonly string[], reference: number): void {
  const db = new Sqlite(file);
  const sql =
    of === 'index' ? 'SELECT side FROM ttl_indexes ORDER BY id LIMIT 1' : 'SELECT explicit FROM collections';
  const table = db.prepare<[], number>(sql).pluck().get() ?? 0;
  const enter = db.prepare(
    `INSERT INTO entries_${table} SELECT ?, row, octet_length(body) FROM documents_1 WHERE id = ?`,
  );
  for (const id of ids) enter.run(reference, id);
  db.exec(`DELETE FROM counts_${table} WHERE level >= 0`);
  for (const [level, width] of LEVELS.entries())
    db.exec(
      `INSERT INTO counts_${table} SELECT ${level}, reference / ${width}, count(*), sum(bytes) FROM entries_${table}
       WHERE reference >= 0 GROUP BY 2`,
    );
  db.close();
}

const ACTIONS: readonly OnExpire[] = [{ action: 'delete' }, { action: 'patch', patch: { exp: null } }];

describe('an entry that disagrees with its document', () => {
  for (const onExpire of ACTIONS)
    for (const indexes of [1, 2])
      it(`[A6, E1] of ${indexes} index${indexes === 1 ? '' : 'es'} that ${onExpire.action}: a document that is pinned or expires later stays, and the entry is dropped`, async () => {
        const before = openTestEngine();
        const { client } = before;
        await client.collections.create({ name: collection });
        for (const name of ['exp', 'other'].slice(0, indexes)) {
          await client.ttlIndexes.create({ collection, name, source: on(name), onExpire });
          await before.settle();
        }
        const many = Array.from({ length: 70 }, (_, i) => `pinned ${i}`);
        await write(
          client,
          collection,
          [...many, 'later', 'due'].map(_id => ({ _id, exp: NOON + HOUR })),
        );
        before.engine.backend.setExpiration(collection, many, { never: true });
        before.engine.backend.setExpiration(collection, ['later'], { after: 86_400 });
        await before.stop();
        addEntries(before.file, 'index', [...many, 'later'], NOON + HOUR);
        const test = await before.reopen();
        await test.advance(2 * HOUR);
        const left = onExpire.action === 'delete' ? [] : ['due'];
        expect(await listIds(test.client, { collection, includeExpired: true })).toEqual(
          [...left, 'later', ...many].sort(),
        );
        expect(test.complaints.join('\n')).toContain('disagreed with their documents');
        await test.advance(DAY);
        while (test.engine.backend.expiry.sweep(1_000));
        await test.stop();
        expect(disagreements(test.file)).toEqual([]);
      });

  it('[A6, E1] of an index, in an interval: the documents stay, and the entries are dropped and logged', async () => {
    const before = openTestEngine({ intervalFrom: 1 });
    const { client } = before;
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
    await before.settle();
    const pinned = Array.from({ length: 200 }, (_, i) => `pinned ${i}`);
    await write(
      client,
      collection,
      [...pinned, 'due'].map(_id => ({ _id, exp: NOON + HOUR })),
    );
    before.engine.backend.setExpiration(collection, pinned, { never: true });
    await before.stop();
    addEntries(before.file, 'index', pinned, NOON + HOUR);
    const test = await before.reopen();
    await test.advance(2 * HOUR);
    while (test.engine.backend.expiry.sweep(1_000));
    expect(await listIds(test.client, { collection, includeExpired: true })).toEqual(pinned.toSorted());
    expect(test.complaints).toHaveLength(1);
    expect(test.complaints[0]).toMatch(/disagreed with their documents.*index=exp entries=200/);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  for (const intervalFrom of [null, 1])
    it(`[A6, E1] of explicit expirations removes no document whose expiration is later or cleared, ${intervalFrom === null ? 'one by one' : 'in an interval'}`, async () => {
      const before = openTestEngine({ intervalFrom });
      const { client } = before;
      await client.collections.create({ name: collection });
      await write(client, collection, [{ _id: 'later' }, { _id: 'pinned' }, { _id: 'none' }]);
      before.engine.backend.setExpiration(collection, ['later'], { after: 86_400 });
      before.engine.backend.setExpiration(collection, ['pinned'], { never: true });
      await before.stop();
      addEntries(before.file, 'explicit', ['later', 'pinned', 'none'], NOON + HOUR);
      const test = await before.reopen();
      await test.advance(2 * HOUR);
      while (test.engine.backend.expiry.sweep(1_000));
      expect(await listIds(test.client, { collection, includeExpired: true })).toHaveLength(3);
      expect(test.complaints.join('\n')).toContain('index=explicit entries=3');
      await test.stop();
      expect(disagreements(test.file)).toEqual([]);
    });
});
