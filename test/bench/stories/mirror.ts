import { join } from 'node:path';
import { DeadlineMirror } from '../../../electron/engine/deadline-mirror/deadline-mirror.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { randomFrom } from '../documents.ts';
import { median, perSecond, quantile, timed } from '../figures.ts';
import { BATCH, HOUR_MS, type Story } from '../story.ts';

const COLLECTIONS = ['session', 'cache', 'lock', 'rate', 'token', 'job', 'page', 'user', 'cart', 'otp'];
const SPANS_MS = [60_000, HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS];
const TIMES = 20;

/**
 * The mirror of a remote store: keys per second written by a first and a second scan, and removed; durations of a
 * timeline, of the list of collections, and of a page.
 */
export const mirror: Story = async ({ documents, seed }, folder) => {
  const log = createLogger('warn', () => systemClock.now());
  const opened = DeadlineMirror.open({ file: join(folder, 'mirror.sqlite'), clock: systemClock, log });
  const random = randomFrom(seed);
  const now = systemClock.now();
  const keys = Array.from({ length: documents }, () => {
    const collection = COLLECTIONS[Math.floor(random() * COLLECTIONS.length)] ?? '';
    return {
      id: `${collection}:${Math.floor(random() * 2 ** 48).toString(36)}`,
      collection,
      deadlineAt: random() < 0.1 ? null : now + Math.floor(random() * 24 * HOUR_MS),
      type: 'string',
      bytes: null,
    };
  });
  const batches = Array.from({ length: Math.ceil(documents / BATCH) }, (_, i) =>
    keys.slice(i * BATCH, (i + 1) * BATCH),
  );
  const scan = async () => {
    const number = opened.beginScan();
    return timed(() => {
      for (const batch of batches) opened.put(batch);
      while (opened.endScan(number, 8));
    });
  };
  const scanMs = await scan();
  const rescanMs = await scan();
  const timelines: number[] = [];
  const ofCollection: number[] = [];
  const pages: number[] = [];
  const summaries: number[] = [];
  for (let i = 0; i < TIMES; i += 1) {
    for (const spanMs of SPANS_MS) {
      const from = now + 12 * HOUR_MS - spanMs / 2 + i;
      const span = { from, to: from + spanMs, buckets: 300 };
      timelines.push(await timed(() => opened.reads.timeline(span, now)));
      ofCollection.push(await timed(() => opened.reads.timeline({ ...span, collection: 'session' }, now)));
    }
    summaries.push(await timed(() => opened.reads.summaries(null, now)));
    const list = { collection: 'session', limit: 200, includeExpired: false } as const;
    const first = await opened.reads.documents({ ...list, sort: '_id', order: 'asc' }, now);
    const after = first.next ?? undefined;
    for (const sort of ['_id', 'deadline'] as const)
      for (const order of ['asc', 'desc'] as const)
        pages.push(await timed(() => opened.reads.documents({ ...list, sort, order }, now)));
    pages.push(await timed(() => opened.reads.documents({ ...list, sort: '_id', order: 'asc', after }, now)));
  }
  const leaving = batches.slice(0, Math.max(1, Math.floor(batches.length / 10)));
  const at = now + 25 * HOUR_MS;
  const departMs = await timed(() => {
    for (const batch of leaving)
      opened.depart(batch.map(({ id }) => ({ id, cause: 'expired' as const, at, measuresLag: true })));
  });
  opened.close();
  return {
    putPerSecond: perSecond(documents, scanMs),
    rescanPerSecond: perSecond(documents, rescanMs),
    departPerSecond: perSecond(leaving.flat().length, departMs),
    timelineMs: median(timelines),
    timelineMaxMs: quantile(timelines, 0.99),
    timelineOfCollectionMs: median(ofCollection),
    summariesMs: median(summaries),
    pageMs: median(pages),
    pageMaxMs: quantile(pages, 0.99),
  };
};
