import { describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { applyExportedExpiration } from '../../../../electron/engine/jobs/imported-expiration.ts';
import { leaderOverContract } from '../../../../electron/engine/replication/leader.ts';
import { write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine } from '../../../support/engine.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const collection = 'c';
/** Integer that JSON.parse rounds to its even neighbour. */
const LONG = 9_007_199_254_740_993n;

describe('an integer beyond 2^53', () => {
  it('[C1, V5] gives a document the same deadline on the leader and on its follower', async () => {
    const leader = openTestEngine();
    const { client } = leader;
    await client.collections.create({ name: collection });
    await client.ttlIndexes.create({
      collection,
      name: 'exp',
      source: {
        kind: 'expression',
        expression: `doc.n == ${LONG} ? timestampMs(${NOON + HOUR}) : null`,
      },
    });
    await leader.settle();
    await write(client, collection, [{ _id: 'a', n: LONG }]);
    const store = openEmbeddedStore({
      file: temporaryStoreFile(),
      clock: leader.clock,
      reads: 'inline',
      leader: 'http://leader.test/',
    });
    const { replica } = store;
    if (replica === null) throw new Error('it was opened as a mirror');
    const { signal } = new AbortController();
    const line = leaderOverContract(client.replication);
    const { storeId } = await line.register(replica.name, signal);
    replica.applyPage({ ...(await line.snapshot(replica.name, null, signal)), storeId });
    expect(await store.reads.indexes(collection, NOON)).toMatchObject([
      { documents: 1, nextDeadlineAt: NOON + HOUR },
    ]);
    // The entry of the index is found again.
    await client.documents.delete({ collection, id: 'a' });
    const { entries } = await line.log(replica.name, { after: store.revision, purged: 0 }, 0, signal);
    for (const entry of entries) replica.apply(entry);
    expect(await store.reads.indexes(collection, NOON)).toMatchObject([{ documents: 0 }]);
    await store.close();
  });

  it('[C1, E1] in an explicit action is exported with its digits', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: collection });
    await write(client, collection, [{ _id: 'a' }]);
    await client.documents.setExpiration({
      params: { collection, id: 'a' },
      body: { at: NOON + HOUR, onExpire: { action: 'patch', patch: { n: LONG } } },
    });
    const { text } = await client.exports.read({ collection, deadlines: true });
    expect(text).toContain(`"patch":{"n":${LONG}}`);
    // An import keeps the digits, too.
    const taken = applyExportedExpiration({ text: text.trim(), line: 1 }, 'absolute', NOON);
    expect(taken.expiration).toMatchObject({ onExpire: { action: 'patch', patch: { n: LONG } } });
  });

  it('[C1] as the example of a field keeps its digits', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: collection });
    await write(client, collection, [{ _id: 'a', n: LONG }]);
    const { fields } = await client.ttlIndexes.candidates({ collection });
    expect(fields).toMatchObject([{ field: 'n', example: LONG }]);
  });
});
