import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fetchFrom, startServedHost } from '../../support/served-host.ts';
import { type Figures, median, perSecond, quantile, timed } from '../figures.ts';
import { DAY_S, HOUR_MS } from '../story.ts';
import { COLLECTION, INDEX, startOurs } from './ours-engine.ts';

const SPANS_MS = [60_000, HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS];
const TIMES = 20;
const OPENINGS = 5;
const SCANS = 3;

/** Durations of the window's calls on a store that was just opened, over a port to the engine's thread. */
export async function readWhatIsStored(file: string, from: number): Promise<Figures> {
  const openMs: number[] = [];
  for (let i = 0; i < OPENINGS; i += 1) openMs.push(await openingMs(file));
  await using ours = await startOurs(file);
  const { client } = ours;
  const [summary] = await client.collections.list();
  const documents = summary?.documents ?? 0;

  const timelineMs: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    for (const spanMs of SPANS_MS) {
      const middle = from + DAY_S * 1_000 + HOUR_MS / 2;
      const span = { from: middle - spanMs / 2, to: middle + spanMs / 2, buckets: 300 };
      timelineMs.push(await timed(() => client.timeline.get({ collection: COLLECTION, ...span })));
    }
  }
  const source = (expireAfter: number) =>
    ({ kind: 'field', field: 'e', unit: 'milliseconds', expireAfter }) as const;
  const previewMs: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    previewMs.push(
      await timed(() =>
        client.ttlIndexes.preview({ collection: COLLECTION, name: INDEX, source: source(DAY_S - 60 * i) }),
      ),
    );
  }
  const newIndexMs: number[] = [];
  for (let i = 0; i < SCANS; i += 1) {
    newIndexMs.push(
      await timed(() =>
        client.ttlIndexes.preview({
          collection: COLLECTION,
          source: { kind: 'field', field: 'user', unit: 'seconds', expireAfter: 60 },
        }),
      ),
    );
  }
  return {
    openMs: median(openMs),
    timelineMs: median(timelineMs),
    timelineMaxMs: quantile(timelineMs, 0.99),
    previewMs: median(previewMs),
    previewNewPerSecond: perSecond(documents, median(newIndexMs)),
  };
}

/** Duration from the start of the engine's thread to its first answer. */
async function openingMs(file: string): Promise<number> {
  const began = performance.now();
  await using ours = await startOurs(file);
  await ours.client.collections.list();
  return performance.now() - began;
}

/** Time to the first answer of a served host, and its memory after the calls of one window. */
export async function serveWhatIsStored(file: string): Promise<Figures> {
  const began = performance.now();
  const host = await startServedHost({ run: 'build', folder: dirname(file) });
  try {
    await fetchFrom(host, 'GET', '/api/collections');
    const servedMs = performance.now() - began;
    for (const path of ['timeline?from=0&to=4000000000000', `collections/${COLLECTION}/documents?limit=200`])
      await fetchFrom(host, 'GET', `/api/${path}`);
    return { servedMs, rss: rssOf(host.process.pid ?? 0) };
  } finally {
    await host.stop();
  }
}

/** Resident memory in bytes; Linux only. */
function rssOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? Number.NaN) * 1_024;
}
