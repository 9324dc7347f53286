import { describe, expect, it } from 'vitest';
import { EmbeddedReads } from '../../../../electron/engine/backends/embedded/embedded-reads.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { refusal, write } from '../../../support/documents.ts';
import { NOON, openTestEngine } from '../../../support/engine.ts';

/** Takes about 30 ms per document. */
const COSTLY = 'doc.a.all(x, doc.a.all(y, x + y > 0.5))';
/** Takes about 10 ms per document, so that a batch can be written. */
const COSTLY_INDEX = 'doc.few.all(x, doc.a.all(y, x + y > 0.5)) ? updatedAt : null';
const a = Array.from({ length: 300 }, () => 1);

async function reads(documents: number, index?: string): Promise<EmbeddedReads> {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  if (index !== undefined) {
    const source = { kind: 'expression', expression: index } as const;
    await test.client.ttlIndexes.create({ collection: 'c', name: 'costly', source });
  }
  await write(
    test.client,
    'c',
    Array.from({ length: documents }, (_, i) => ({ _id: `${i}`, a, few: a.slice(0, 100) })),
  );
  await test.stop();
  return new EmbeddedReads(test.file, systemClock);
}

const list = { collection: 'c', limit: 1_000, sort: '_id', order: 'asc', includeExpired: false } as const;
const preview = {
  collection: 'c',
  source: { kind: 'expression', expression: `${COSTLY} ? updatedAt : null` },
} as const;
const context = { now: NOON, drainRate: null };

describe('scans with a costly expression', () => {
  for (const [what, scan] of [
    [
      'a filtered list',
      (open: EmbeddedReads, signal: AbortSignal) => open.documents({ ...list, cel: COSTLY }, NOON, signal),
    ],
    ['a preview', (open: EmbeddedReads, signal: AbortSignal) => open.preview(preview, context, signal)],
  ] as const) {
    it(`[X3] ${what} yields to other reads, and ends as soon as it is cancelled`, async () => {
      const open = await reads(100);
      const controller = new AbortController();
      const order: string[] = [];
      const scans = Array.from({ length: 6 }, () =>
        refusal(scan(open, controller.signal)).then(({ code }) => order.push(code)),
      );
      // Each read is requested after the scans, and waits for at most one turn, not for all scans.
      for (let i = 0; i < 3; i++) {
        await new Promise(resolve => setImmediate(resolve));
        await open.summaries(null, NOON);
        order.push('read');
      }
      controller.abort();
      await Promise.all(scans);
      expect(order).toEqual(['read', 'read', 'read', ...scans.map(() => 'CANCELLED')]);
      await open.close();
    });
  }

  it('[X3] run in any number at once with the same answers as alone', async () => {
    const open = await reads(3);
    const alone = await open.documents({ ...list, cel: 'doc.a.all(x, x > 0.5)' }, NOON);
    expect(alone.documents).toHaveLength(3);
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 3 === 0
          ? open.preview(preview, context)
          : open.documents({ ...list, cel: 'doc.a.all(x, x > 0.5)' }, NOON),
      ),
    );
    for (const answer of all) expect(answer.documents === 3 || Array.isArray(answer.documents)).toBe(true);
    await open.close();
  });
});

describe('reads other than filtered scans', () => {
  for (const [what, read] of [
    [
      'an export',
      (open: EmbeddedReads) =>
        open.exportPage({ collection: 'c', limit: 1_000, deadlines: true, includeExpired: true }, NOON),
    ],
    ['a list with a costly index', (open: EmbeddedReads) => open.documents(list, NOON)],
    ['a search for candidates', (open: EmbeddedReads) => open.candidates('c')],
  ] as const) {
    it(`[X3] ${what} yields to other reads`, async () => {
      const open = await reads(30, COSTLY_INDEX);
      const order: string[] = [];
      const all = Array.from({ length: 5 }, () => read(open).then(() => order.push('long')));
      for (let i = 0; i < 3; i++) {
        await new Promise(resolve => setImmediate(resolve));
        await open.summaries(null, NOON);
        order.push('read');
      }
      await Promise.all(all);
      // Five scans were requested before the read, which waited for one turn.
      expect(order.indexOf('read')).toBeLessThan(2);
      await open.close();
    });
  }
});
