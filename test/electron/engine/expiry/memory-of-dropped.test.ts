import { queryObjects } from 'node:v8';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { DueEntries } from '../../../../electron/engine/backends/embedded/expiry/due-entries.ts';
import { RowSweeper } from '../../../../electron/engine/backends/embedded/expiry/row-sweeper.ts';
import { RowSet } from '../../../../electron/engine/backends/embedded/tables/documents/row-set.ts';
import { on, write } from '../../../support/documents.ts';
import { openTestEngine, SECOND } from '../../../support/engine.ts';

const db = new Sqlite(':memory:');
const statement = db.prepare('SELECT 1');

/** Returns the live objects of each class after a garbage collection. */
const countObjects = () => ({
  statements: queryObjects(statement.constructor, { format: 'count' }),
  dueEntries: queryObjects(DueEntries, { format: 'count' }),
  rowSweepers: queryObjects(RowSweeper, { format: 'count' }),
  rowSets: queryObjects(RowSet, { format: 'count' }),
});

it('[R2, X4] the reaper and the sweep keep no object in memory for deleted collections', async () => {
  const { client, advance, settle, clock } = openTestEngine();

  async function expireInNewCollection(collection: string) {
    await client.settings.update({ retention: 60 });
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({ collection, name: 'exp', source: on('exp') });
    await write(client, collection, [{ _id: 'a', exp: clock.now() + SECOND }, { _id: 'b' }]);
    await advance(SECOND);
    expect(await client.documents.list({ collection })).toMatchObject({ documents: [{ _id: 'b' }] });
    await client.settings.update({ retention: 0 });
    await client.collections.drop({ collection });
    await settle();
  }

  await expireInNewCollection('first');
  const before = countObjects();
  for (const i of [1, 2]) await expireInNewCollection(`later${i}`);
  expect(countObjects()).toEqual(before);
});
