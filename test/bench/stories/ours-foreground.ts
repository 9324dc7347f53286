import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../shared/contract/index.ts';
import { batchesOf, randomFrom } from '../documents.ts';
import { type Figures, perSecond, quantile, timed } from '../figures.ts';
import { DAY_S, HOUR_MS, type Story } from '../story.ts';
import { COLLECTION, fill, INDEX, makeCollection, openOurs, startOurs, storeIn } from './ours-engine.ts';

/** Pause between two calls of one kind, ms. */
const EVERY_MS = 4;

interface Latencies {
  get: number[];
  put: number[];
}

/** Sends one get and one put every few milliseconds, as a service does, until `isOver`. */
async function ask(client: Client, ids: readonly string[], isOver: () => boolean): Promise<Latencies> {
  const random = randomFrom(7);
  const latencies: Latencies = { get: [], put: [] };
  for (let i = 0; !isOver(); i += 1) {
    const id = ids[Math.floor(random() * ids.length)] ?? '';
    const got = timed(() => client.documents.get({ collection: COLLECTION, id }).catch(() => null));
    const put = timed(() =>
      client.documents.put({ params: { collection: COLLECTION, id: `own ${i}` }, body: { user: i } }),
    );
    latencies.get.push(await got);
    latencies.put.push(await put);
    await sleep(EVERY_MS);
  }
  return latencies;
}

/** Fills the store and returns existing keys, spread over the whole collection. */
async function fillAndSample(file: string, documents: number, seed: number): Promise<string[]> {
  const from = Date.now() - 2 * HOUR_MS;
  const load = { documents, keys: 'v4', order: 'random', from, spanMs: HOUR_MS, seed } as const;
  const { engine, stop } = openOurs(file);
  makeCollection(engine, DAY_S, 0);
  await fill(engine, load);
  await stop();
  const ids: string[] = [];
  for (const batch of batchesOf(load, 1_000)) if (batch[0]?._id !== undefined) ids.push(batch[0]._id);
  return ids;
}

const spread = (name: string, { get, put }: Latencies): Figures => ({
  [`${name}GetP50Ms`]: quantile(get, 0.5),
  [`${name}GetP99Ms`]: quantile(get, 0.99),
  [`${name}PutP50Ms`]: quantile(put, 0.5),
  [`${name}PutP99Ms`]: quantile(put, 0.99),
});

/** Latency of reads and writes, idle and while a million documents drain. */
export const oursForeground: Story = async ({ documents, seed, seconds }, folder): Promise<Figures> => {
  const file = storeIn(folder);
  const ids = await fillAndSample(file, documents, seed);
  await using ours = await startOurs(file);
  const { client } = ours;
  const until = (ms: number) => {
    const end = Date.now() + ms;
    return () => Date.now() > end;
  };
  await ask(client, ids, until(1_000));
  const idle = await ask(client, ids, until(seconds * 1_000));

  const watcher = ours.connect();
  let isOver = false;
  const busy = ask(client, ids, () => isOver);
  const drainMs = await timed(async () => {
    await watcher.ttlIndexes.update({
      collection: COLLECTION,
      index: INDEX,
      source: { kind: 'field', field: 'e', unit: 'milliseconds', expireAfter: 0 },
      expect: { dueAtOnce: documents },
    });
    for (;;) {
      const { unswept, active } = await watcher.reaper.get();
      if (!active && unswept === 0) break;
      await sleep(50);
    }
  });
  isOver = true;
  return {
    ...spread('idle', idle),
    ...spread('drain', await busy),
    reclaimPerSecond: perSecond(documents, drainMs),
  };
};

/** Latency of reads and writes while a second index is built. */
export const oursBuild: Story = async ({ documents, seed, seconds }, folder): Promise<Figures> => {
  const file = storeIn(folder);
  const ids = await fillAndSample(file, documents, seed);
  await using ours = await startOurs(file);
  const { client } = ours;
  const end = Date.now() + seconds * 1_000;
  const idle = await ask(client, ids, () => Date.now() > end);
  const watcher = ours.connect();
  const build = async (name: string) =>
    timed(async () => {
      await watcher.ttlIndexes.create({
        collection: COLLECTION,
        name,
        source: { kind: 'field', field: 'user', unit: 'seconds', expireAfter: 3_000_000_000 },
      });
      while ((await watcher.ttlIndexes.get({ collection: COLLECTION, index: name })).state === 'building')
        await sleep(20);
    });
  const alone = await build('alone');
  await watcher.ttlIndexes.drop({ collection: COLLECTION, index: 'alone' });
  let isOver = false;
  const busy = ask(client, ids, () => isOver);
  const beside = await build('beside');
  isOver = true;
  return {
    ...spread('idle', idle),
    ...spread('build', await busy),
    buildPerSecond: perSecond(documents, alone),
    buildBesidePerSecond: perSecond(documents, beside),
  };
};
