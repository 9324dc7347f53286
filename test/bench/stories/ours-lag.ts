import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, quantile } from '../figures.ts';
import { type LateEvent, stallsOf, watchMachine } from '../load/standstill.ts';
import { DAY_S, HOUR_MS, type Story } from '../story.ts';
import { COLLECTION, fill, makeCollection, openOurs, startOurs, storeIn } from './ours-engine.ts';

const PER_MS = 5;
/** An event that is later than this is a stall, ms. */
const STALL_MS = 50;

/**
 * Five thousand documents expire each second among a million others: delay of each event against its deadline, and what
 * stood still where it was long.
 */
export const oursLag: Story = async ({ documents, seed, seconds }, folder): Promise<Figures> => {
  const file = storeIn(folder);
  const { engine, stop } = openOurs(file);
  makeCollection(engine, 0, 0);
  const later = { from: Date.now() + DAY_S * 1_000, spanMs: HOUR_MS, seed };
  await fill(engine, { documents, keys: 'v4', order: 'random', ...later });
  const from = Date.now() + 5_000 + seconds * 500;
  await fill(engine, {
    documents: seconds * 1_000 * PER_MS,
    keys: 'v4',
    order: 'insertion',
    from,
    spanMs: seconds * 1_000,
    seed: seed + 1,
  });
  await stop();

  await using ours = await startOurs(file);
  const { client } = ours;
  if (Date.now() > from) throw new Error('It took too long to write what was to expire.');
  await sleep(Math.max(0, from - Date.now() - 100));
  const machine = watchMachine(join(folder, 'sync'));
  const removedMs: number[] = [];
  const late: LateEvent[] = [];
  const deliveredMs: number[] = [];
  const { revision } = await client.store.info();
  let next = String(revision + 1);
  const end = from + seconds * 1_000 + 5_000;
  while (Date.now() < end && deliveredMs.length < seconds * 1_000 * PER_MS) {
    const page = await client.events.read({ collection: COLLECTION, from: next, limit: 5_000, waitMs: 500 });
    const now = Date.now();
    next = page.next;
    for (const { event } of page.events) {
      if (event.kind !== 'expire') continue;
      removedMs.push(event.lagMs);
      deliveredMs.push(now - event.deadlineAt);
      if (now - event.deadlineAt > STALL_MS)
        late.push({ from: event.deadlineAt, removedAt: event.at, to: now });
    }
  }
  return {
    delivered: deliveredMs.length / (seconds * 1_000 * PER_MS),
    removedP50Ms: quantile(removedMs, 0.5),
    removedP99Ms: quantile(removedMs, 0.99),
    lagP50Ms: quantile(deliveredMs, 0.5),
    lagP99Ms: quantile(deliveredMs, 0.99),
    ...stallsOf(late, await machine.end()),
  };
};
