import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import { type Figures, median, perSecond, quantile, timed } from '../figures.ts';
import { DAY_S, HOUR_MS, type Story } from '../story.ts';
import { COLLECTION, definition, fill, makeCollection, openOurs, storeIn } from './ours-engine.ts';
import { readWhatIsStored, serveWhatIsStored } from './ours-reads.ts';

const MINUTES = 60_000;

/**
 * Fills a store, closes it, opens it, reads it, makes all documents due by one change of the TTL, and waits until the last byte
 * is free.
 */
export const oursLife: Story = async (options, folder): Promise<Figures> => {
  const { documents, keys, order, retention, seed } = options;
  const file = storeIn(folder);
  const from = Date.now() - 2 * HOUR_MS;
  const load = { documents, keys, order, from, spanMs: HOUR_MS, seed };
  const first = openOurs(file);
  makeCollection(first.engine, DAY_S, retention);
  // The reader thread loads its code while the store opens, which is measured by itself.
  await first.engine.backend.reads.storage();
  const ingestMs = await fill(first.engine, load);
  await first.stop();
  const bytes = statSync(file).size;

  const reads = await readWhatIsStored(file, from);
  const served = await serveWhatIsStored(file);

  const { engine, heldMs, stop } = openOurs(file);
  // Starts the reader thread, which runs whenever documents fall due.
  await engine.backend.reads.storage();
  const dueAt = Date.now();
  const changeMs = await timed(() =>
    engine.backend.changeIndex(COLLECTION, definition(0, retention), { by: 'bench', isExpected: true }),
  );
  const { drainMs, agreedMs, reclaimMs } = await drainedAndSwept(engine, documents, dueAt, { agreed: true });
  await stop();
  return {
    ingestPerSecond: perSecond(documents, ingestMs),
    bytes,
    ...reads,
    ...served,
    changeMs,
    drainMs,
    agreedMs,
    drainPerSecond: perSecond(documents, drainMs),
    reclaimPerSecond: perSecond(documents, reclaimMs),
    batchP99Ms: quantile(heldMs.reap, 0.99),
    sweepP99Ms: quantile(heldMs.sweep, 0.99),
    batchMaxMs: Math.max(...heldMs.reap),
    bytesAfter: statSync(file).size,
  };
};

/**
 * Durations since the documents fell due: until the removal of the last was durable, until every reader agrees with that
 * (only if that is `measured`), and until the last byte was free.
 */
async function drainedAndSwept(
  engine: EmbeddedEngine,
  documents: number,
  from: number,
  measured: { agreed: boolean },
): Promise<{ drainMs: number; agreedMs: number; reclaimMs: number }> {
  const { backend, reaper } = engine;
  let gone = 0;
  let lastAt = from;
  let agreedAt: Promise<number> | null = null;
  const stop = backend.onCommit(({ changes }) => {
    const expired = changes.reduce((sum, one) => sum + (one.kind === 'expire' ? (one.documents ?? 1) : 0), 0);
    if (expired > 0) lastAt = Date.now();
    gone += expired;
    if (measured.agreed && gone >= documents) agreedAt ??= agreed(engine, { documents, from });
  });
  const most = Date.now() + 30 * MINUTES;
  while (gone < documents || backend.unswept() > 0) {
    if (Date.now() > most)
      throw new Error(`${documents - gone} are still there, ${backend.unswept()} unswept.`);
    await sleep(2);
    await reaper.whenIdle();
  }
  stop();
  const reclaimMs = Date.now() - from;
  return { drainMs: lastAt - from, agreedMs: ((await agreedAt) ?? Number.NaN) - from, reclaimMs };
}

/**
 * Returns when the count of the collection, what is overdue, the actuals of its timeline and the first page of its
 * events all say that every document has expired, epoch ms.
 */
async function agreed(
  { backend: { reads, revision }, clock }: EmbeddedEngine,
  { documents, from }: { documents: number; from: number },
): Promise<number> {
  for (;;) {
    const now = clock.now();
    const span = { from: from - MINUTES, to: now + 1_000, buckets: 60 };
    const [[summary], timeline, events] = await Promise.all([
      reads.summaries([COLLECTION], now),
      reads.timeline({ collection: COLLECTION, ...span }, now),
      reads.changes({ from: { revision, position: 0 }, collection: COLLECTION, limit: 500 }),
    ]);
    const expired = timeline.buckets.reduce((sum, bucket) => sum + bucket.expired, 0);
    const isSeen = events.events.some(({ event }) => event.kind === 'expire');
    if (summary?.documents === 0 && summary.overdue === 0 && expired === documents && isSeen)
      return Date.now();
  }
}

/** Clock offset between two rounds, ms: longer than the history that is kept. */
const ROUND_MS = 120_000;

/** Ten rounds of fill and drain in one file with a minute of history: shows that freed space is used again. */
export const oursCycles: Story = async ({ documents, seed }, folder): Promise<Figures> => {
  const file = storeIn(folder);
  const bytes: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { engine, stop } = openOurs(file, round * ROUND_MS);
    const { backend, yieldToCalls } = engine;
    backend.settings.change({ logSeconds: 60, logBytes: 1024 * 1024 });
    if (round === 0) makeCollection(engine, DAY_S, 0);
    else backend.changeIndex(COLLECTION, definition(DAY_S, 0), { by: 'bench', isExpected: true });
    const from = Date.now() - 2 * HOUR_MS;
    await fill(engine, { documents, keys: 'v4', order: 'random', from, spanMs: HOUR_MS, seed: seed + round });
    const dueAt = Date.now();
    backend.changeIndex(COLLECTION, definition(0, 0), { by: 'bench', isExpected: true });
    // The change log keeps only a minute of this clock: the events may be gone before they are read.
    await drainedAndSwept(engine, documents, dueAt, { agreed: false });
    while (backend.compactLog()) await yieldToCalls();
    await stop();
    bytes.push(statSync(file).size);
  }
  return { bytes, growth: median(bytes.slice(-3)) / (bytes[2] ?? Number.NaN) };
};
