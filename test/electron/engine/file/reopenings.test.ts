import { describe, expect, it } from 'vitest';
import { listIds, on, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const REOPENINGS = 15;

/** Returns all settings and definitions, which must persist. */
async function settled({ client, engine }: TestEngine) {
  const indexes = await client.ttlIndexes.list({ collection: 'c' });
  const { holds, paused } = await client.collections.get({ collection: 'c' });
  return {
    indexes: indexes.map(({ name, source, onExpire, schedule, limits, retention, paused: stopped }) => ({
      name,
      source,
      onExpire,
      schedule,
      limits,
      retention,
      stopped,
    })),
    paused,
    holds: holds.map(({ cause, since, by, due }) => ({ cause, since, by, due })),
    pauses: engine.backend.pauses(),
    settings: engine.backend.settings.get(),
    dropped: (await client.collections.dropped({})).map(({ name, keepUntil }) => ({ name, keepUntil })),
    purges: await client.expired.purges({}),
    restorable: (await client.metrics.expired({})).expired.map(({ _id, restorable }) => [_id, restorable]),
    documents: await listIds(client, { collection: 'c', includeExpired: true }),
  };
}

describe('a store that is opened again and again', () => {
  it('[R6, R8, R9, X4] keeps its indexes, settings, pauses, holds, copies and dropped collections', async () => {
    let test = openTestEngine();
    const { client, engine } = test;
    for (const name of ['c', 'archive', 'away']) await client.collections.create({ name });
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'moves',
      source: on('moves'),
      onExpire: { action: 'move', to: 'archive' },
      retention: 30 * 86_400,
      limits: { removalsPerSecond: 100 },
    });
    await client.ttlIndexes.create({
      collection: 'c',
      name: 'stopped',
      source: on('stopped'),
      schedule: { mode: 'every', everyMs: 5_000 },
    });
    await test.settle();
    await write(client, 'c', [
      { _id: 'moved', moves: NOON + SECOND },
      { _id: 'purged', moves: NOON + SECOND },
      { _id: 'waits', stopped: NOON + SECOND },
      { _id: 'stays', moves: NOON + DAY },
    ]);
    await client.reaper.pause({ collection: 'c', index: 'stopped' });
    await test.advance(SECOND);
    const { expired } = await client.metrics.expired({});
    const purged = expired.find(({ _id }) => _id === 'purged');
    await client.expired.purge({ what: { ids: [purged?.id ?? ''] } });
    engine.backend.settings.change({ retention: 7 * 86_400, batchMs: 4, logSeconds: 3_600 });
    engine.backend.holds.place({ collection: 'c', cause: 'import', by: 'ada', due: 1 });
    await client.collections.drop({ collection: 'away' });
    await test.settle();

    const before = await settled(test);
    expect(before).toMatchObject({
      holds: [{ cause: 'import' }],
      dropped: [{ name: 'away' }],
      purges: [{ documents: 1 }],
    });
    expect(before.restorable).toEqual([['moved', { until: NOON + SECOND + 30 * DAY, bytes: 37 }]]);
    expect(before.documents).toEqual(['stays', 'waits']);
    for (let i = 0; i < REOPENINGS; i++) {
      test = await test.reopen(i % 3 === 0 ? HOUR : 0);
      await test.settle();
      expect(await settled(test), `opening ${i + 1}`).toEqual(before);
    }
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });
});
