import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { boundExpirations } from '../../../../electron/engine/backends/embedded/file/migrations/bounded-expirations.ts';
import {
  applyExportedExpiration,
  type ImportDeadlines,
} from '../../../../electron/engine/jobs/imported-expiration.ts';
import { replicaDocument } from '../../../../shared/contract/replication.ts';
import { LONGEST_EXPIRE_AFTER } from '../../../../shared/model/duration.ts';
import { LAST_INSTANT } from '../../../../shared/model/reference-time.ts';
import { listIds, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';
const BAD_INSTANTS = [-100_000, -13, -9, -3, -1, -0.5, LAST_INSTANT + 1, 1e300];
const BAD_DURATIONS = [-5, -1, 0, LONGEST_EXPIRE_AFTER + 1, 1e300];

async function withCollection() {
  const test = openTestEngine();
  await test.client.collections.create({ name: collection });
  return test;
}

describe('an explicit expiration outside its bounds', () => {
  for (const deadlines of ['absolute', 'remaining'] satisfies ImportDeadlines[])
    it(`[E1] is refused in an import that takes ${deadlines} deadlines, and the valid lines are written`, async () => {
      const { engine, client } = await withCollection();
      const expirations = [
        ...BAD_INSTANTS.map(at => ({ explicit: { at } })),
        ...BAD_DURATIONS.map(after => ({ explicit: { at: NOON + HOUR }, after })),
      ].map(bad => ({ deadlineAt: NOON, deadlineFrom: 'explicit', exportedAt: NOON, ...bad }));
      const lines = expirations.map(($expiration, i) => JSON.stringify({ _id: String(i), $expiration }));
      lines.push('{"_id":"good"}');
      const incoming = lines.map((text, i) =>
        applyExportedExpiration({ text, line: i + 1 }, deadlines, NOON),
      );
      const report = engine.backend.write(collection, incoming, { mode: 'insert', atomic: false });
      expect(report.rejected.map(({ _id, code }) => [_id, code])).toEqual(
        expirations.map((_, i) => [String(i), 'INVALID_EXPIRATION']),
      );
      expect(await listIds(client, { collection })).toEqual(['good']);
      expect(await client.collections.get({ collection })).toMatchObject({ pinned: 0, documents: 1 });
    });

  it.each([...BAD_INSTANTS.map(at => ({ at })), ...BAD_DURATIONS.map(after => ({ after }))])(
    '[E1] is refused in a call: %j',
    async body => {
      const { client } = await withCollection();
      await write(client, collection, [{ _id: 'a' }]);
      await expect(
        client.documents.setExpiration({ params: { collection, id: 'a' }, body }),
      ).rejects.toMatchObject({ code: 'INVALID_EXPIRATION' });
      await expect(
        client.documents.setExpirations({ collection, ids: ['a'], set: body }),
      ).rejects.toMatchObject({ code: 'INVALID_EXPIRATION' });
      expect(await client.collections.get({ collection })).toMatchObject({ pinned: 0, withDeadline: 0 });
    },
  );

  it('[V5] is refused from a leader', () => {
    const fields = replicaDocument.shape;
    for (const at of BAD_INSTANTS.filter(instant => instant !== -1))
      expect(fields.explicitAt.safeParse(at).success).toBe(false);
    for (const after of BAD_DURATIONS)
      expect(fields.explicitAfter.safeParse(after * 1_000).success).toBe(false);
    expect(fields.explicitAt.safeParse(-1).success).toBe(true);
  });

  it('[E1] in a store of an earlier release becomes a pin, and the store opens and lists', async () => {
    const before = await withCollection();
    const ids = ['a', 'b', 'c', 'd'];
    await write(
      before.client,
      collection,
      ids.map(_id => ({ _id })),
    );
    before.engine.backend.setExpiration(collection, ids, { after: 3_600 });
    await before.stop();
    const db = new Sqlite(before.file);
    const explicit = db.prepare<[], number>('SELECT explicit FROM collections').pluck().get() ?? 0;
    const bad = [-100_000, -3, -9];
    for (const [i, at] of bad.entries()) {
      db.prepare(`UPDATE documents_1 SET explicit_at = ?, explicit_after = -5 WHERE id = ?`).run(at, ids[i]);
      db.exec(`UPDATE entries_${explicit} SET reference = ${at} WHERE row = ${i + 1}`);
      db.exec(
        `INSERT INTO counts_${explicit} SELECT -1, ${at}, 1, bytes FROM entries_${explicit} WHERE row = ${i + 1}`,
      );
      for (const level of [0, 1, 2, 3])
        db.exec(`UPDATE counts_${explicit} SET documents = documents - 1,
          bytes = bytes - (SELECT bytes FROM entries_${explicit} WHERE row = ${i + 1}) WHERE level = ${level}`);
    }
    db.close();
    const open = await before.reopen();
    // The list works even if the migration did not repair the document.
    expect(await open.client.collections.list({})).toHaveLength(1);
    await open.stop();
    const mended = new Sqlite(before.file);
    // The migration step uses the column names of its own format.
    mended.exec('ALTER TABLE dropped_collections RENAME COLUMN keep_until_at TO keep_until');
    boundExpirations(mended);
    mended.exec('ALTER TABLE dropped_collections RENAME COLUMN keep_until TO keep_until_at');
    mended.close();
    const test = await before.reopen();
    expect(await listIds(test.client, { collection })).toEqual(ids);
    expect(await test.client.collections.get({ collection })).toMatchObject({ pinned: 3, withDeadline: 1 });
    await expect(test.client.documents.keepAlive({ collection, id: 'a' })).rejects.toMatchObject({
      code: 'NO_EXPIRATION',
    });
    await test.advance(HOUR);
    expect(await listIds(test.client, { collection, includeExpired: true })).toEqual(['a', 'b', 'c']);
    while (test.engine.backend.expiry.sweep(1_000));
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});
