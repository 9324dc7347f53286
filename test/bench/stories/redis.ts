import { setTimeout as sleep } from 'node:timers/promises';
import { batchesOf, uuidV7 } from '../documents.ts';
import { type Figures, perSecond, quantile, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';
import { command, startRedis } from './redis-server.ts';

/** Longest duration of a fill before the first key is due, ms. */
const fillMs = (documents: number) => 1_500 + documents / 40;

/** Redis, in memory: keys with PXAT, pipelined by the thousand, then its own active expiry. */
export const redisLife: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  await using server = await startRedis(folder);
  const { client } = server;
  // Waits until all keys are due: only the drain is measured.
  await client.send(command('DEBUG', 'SET-ACTIVE-EXPIRE', '0'));
  const from = Date.now() + fillMs(documents);
  const spanMs = 1_000;
  let ingestMs = 0;
  for (const batch of batchesOf({ documents, keys, order, from, spanMs, seed }, BATCH)) {
    const withKeys = batch.map(document => ({ _id: uuidV7(), ...document }));
    ingestMs += await timed(() =>
      client.send(
        withKeys
          .map(document => command('SET', document._id, JSON.stringify(document), 'PXAT', document.e))
          .join(''),
        batch.length,
      ),
    );
  }
  const memory = Number(
    /used_memory_rss:(\d+)/.exec(await readBulk(client, command('INFO', 'memory')))?.[1] ?? Number.NaN,
  );
  const ingestPerSecond = perSecond(documents, ingestMs);
  // The drain does not depend on the keys.
  if (keys === 'v7') return { ingestPerSecond, memory };
  const wait = from + spanMs + 200 - Date.now();
  if (wait < 0) throw new Error('Redis was filled too slowly: keys were due before all were there.');
  await sleep(wait);
  await client.send(command('DEBUG', 'SET-ACTIVE-EXPIRE', '1'));
  const drainMs = await timed(async () => {
    while ((await client.send(command('DBSIZE'))) !== ':0') await sleep(20);
  });
  return {
    ingestPerSecond,
    memory,
    drainPerSecond: perSecond(documents, drainMs),
  };
};

type Client = Awaited<ReturnType<typeof startRedis>>['client'];

/** Reads a bulk answer: its length, then its lines. */
async function readBulk(client: Client, asked: string): Promise<string> {
  let text = '';
  let length: number | null = null;
  return new Promise(resolve => {
    client.onLine = line => {
      if (length === null) length = Number(line.slice(1));
      else {
        text += `${line}\r\n`;
        if (text.length >= length) {
          client.onLine = null;
          resolve(text);
        }
      }
    };
    client.post(asked);
  });
}

/** Delay of `expired` events against the deadline of their key, among a million keys that stay. */
export const redisLag: Story = async ({ documents, seed, seconds }, folder): Promise<Figures> => {
  await using server = await startRedis(folder);
  const { client } = server;
  const later = Date.now() + 24 * HOUR_MS;
  const staying = { documents, keys: 'v4', order: 'random', from: later, spanMs: HOUR_MS, seed } as const;
  for (const batch of batchesOf(staying, BATCH)) {
    const words = batch.map(document =>
      command('SET', document._id ?? '', JSON.stringify(document), 'PXAT', document.e),
    );
    await client.send(words.join(''), batch.length);
  }
  await client.send(command('CONFIG', 'SET', 'notify-keyspace-events', 'Ex'));
  const listener = await server.connect();
  const lagMs: number[] = [];
  listener.onLine = line => {
    const at = /^due:(\d+):/.exec(line)?.[1];
    if (at !== undefined) lagMs.push(Date.now() - Number(at));
  };
  listener.post(command('PSUBSCRIBE', '__keyevent@0__:expired'));
  const perMs = 5;
  const from = Date.now() + 2_000;
  for (let ms = 0; ms < seconds * 1_000; ms += 200) {
    const words = Array.from({ length: 200 * perMs }, (_, i) => {
      const at = from + ms + Math.floor(i / perMs);
      return command('SET', `due:${at}:${i}`, 'x'.repeat(200), 'PXAT', at);
    });
    await client.send(words.join(''), words.length);
  }
  // Events that did not arrive count with the delay so far.
  await sleep(from + seconds * 1_000 + 5_000 - Date.now());
  const expected = seconds * 1_000 * perMs;
  listener.close();
  return {
    delivered: lagMs.length / expected,
    lagP50Ms: quantile(lagMs, 0.5),
    lagP99Ms: quantile(lagMs, 0.99),
  };
};
