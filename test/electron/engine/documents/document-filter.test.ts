import { describe, expect, it } from 'vitest';
import { listIds, refusal, write } from '../../../support/documents.ts';
import { NOON, openTestEngine, type TestEngineOptions } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

async function people(count = 10, options: TestEngineOptions = {}) {
  const test = openTestEngine(options);
  await test.client.collections.create({ name: 'people' });
  await write(
    test.client,
    'people',
    Array.from({ length: count }, (_, i) => ({
      _id: `p${String(i).padStart(4, '0')}`,
      tenant: i % 2 === 0 ? 'acme' : 'hooli',
      ...(i % 5 === 0 ? {} : { seats: i }),
    })),
  );
  return test;
}

describe('documents selected by CEL', () => {
  it('are listed page by page, without those that lack the field', async () => {
    const { client } = await people();
    const cel = 'doc.tenant == "acme" && doc.seats >= 4';
    expect(await listIds(client, { collection: 'people', cel, limit: 1 })).toEqual([
      'p0004',
      'p0006',
      'p0008',
    ]);
  });

  it('combine with text and order', async () => {
    const { client } = await people();
    const query = { collection: 'people', cel: 'doc.seats > 4', filter: 'hooli', order: 'desc' as const };
    expect(await listIds(client, query)).toEqual(['p0009', 'p0007']);
  });

  it('are changed in bulk [E3]', async () => {
    const { client, settle } = await people();
    await client.documents.setExpirations({
      collection: 'people',
      filter: { cel: 'doc.seats > 6' },
      set: { never: true },
    });
    await settle();
    await expect
      .poll(() => listIds(client, { collection: 'people', state: 'pinned' }))
      .toEqual(['p0007', 'p0008', 'p0009']);
  });

  it('fail with the column of a mistake, before anything is read or changed', async () => {
    const { client } = await people();
    const wrong = { code: 'INVALID_FILTER', data: { line: 1, column: 11 } };
    const cel = 'doc.seats ~ 2';
    expect(await refusal(client.documents.list({ collection: 'people', cel }))).toMatchObject(wrong);
    const bulk = client.documents.deleteMany({ collection: 'people', filter: { cel } });
    expect(await refusal(bulk)).toMatchObject(wrong);
    expect(await client.jobs.list()).toEqual([]);
  });

  it('are searched for at most 200 ms per page, which then returns a cursor', async () => {
    const clock = createManualClock(NOON);
    let readings = 0;
    // Each reading is 50 ms later than the previous one.
    const engineClock = { ...clock, elapsed: () => clock.elapsed() + 50 * readings++ };
    const { client } = await people(40, { clock, engineClock });
    const query = { collection: 'people', cel: 'doc.seats >= 38', limit: 2 };
    const page = await client.documents.list(query);
    expect(page).toMatchObject({ documents: [], partial: true, next: expect.any(String) });
    expect(await listIds(client, query)).toEqual(['p0038', 'p0039']);
  });
});

describe('large documents', () => {
  it('end a page before it is full, with a cursor', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'blobs' });
    const text = 'x'.repeat(1_000_000);
    await write(
      client,
      'blobs',
      Array.from({ length: 9 }, (_, i) => ({ _id: `b${i}`, text })),
    );
    const page = await client.documents.list({ collection: 'blobs' });
    expect(page).toMatchObject({ partial: true, next: expect.any(String) });
    expect(page.documents).toHaveLength(5);
    expect(await listIds(client, { collection: 'blobs' })).toHaveLength(9);
  });

  it('are clipped for a table, and marked; small ones are complete', async () => {
    const { client } = openTestEngine();
    await client.collections.create({ name: 'blobs' });
    const deep = { a: { b: { c: { d: 1 } } } };
    await write(client, 'blobs', [
      { _id: 'large', text: 'x'.repeat(5_000), list: Array.from({ length: 50 }, (_, i) => i), deep, n: 1 },
      { _id: 'small', deep },
    ]);
    const { documents } = await client.documents.list({ collection: 'blobs', clip: 2_000 });
    const [large, small] = documents;
    expect(large).toMatchObject({ clipped: true, document: { _id: 'large', n: 1 } });
    expect(large?.document.text).toBe('x'.repeat(201));
    expect(large?.document.list).toHaveLength(20);
    expect(large?.bytes).toBeGreaterThan(5_000);
    expect(small).toMatchObject({ document: { _id: 'small', deep } });
    expect(small?.clipped).toBeUndefined();
    expect((await client.documents.get({ collection: 'blobs', id: 'large' })).document.text).toHaveLength(
      5_000,
    );
  });
});
