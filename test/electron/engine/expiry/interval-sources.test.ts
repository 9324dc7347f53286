import { describe, expect, it } from 'vitest';
import type { OnExpire, TtlSource } from '../../../../shared/model/ttl-index.ts';
import { listIds, on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND, type TestEngineOptions } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';
const DUE = NOON + SECOND;

interface Expired {
  readonly index: string | undefined;
  /** Undefined: one by one. */
  readonly documents: number | undefined;
}

/** A store whose intervals begin with ten due documents, and the expiries of its commits. */
async function openStore(sources: Record<string, TtlSource>, options: TestEngineOptions = {}) {
  const test = openTestEngine({ intervalFrom: 10, ...options });
  const { client } = test;
  await client.collections.create({ name: collection });
  for (const [name, source] of Object.entries(sources)) {
    await client.ttlIndexes.create({ collection, name, source });
    await test.settle();
  }
  const expired: Expired[] = [];
  test.engine.backend.onCommit(({ changes }) => {
    for (const change of changes)
      if (change.kind === 'expire') expired.push({ index: change.index, documents: change.documents });
  });
  const stored = () => listIds(client, { collection, includeExpired: true });
  return { ...test, expired, stored };
}

const numbered = (count: number, name = 'd') =>
  Array.from({ length: count }, (_, i) => `${name}${String(i).padStart(3, '0')}`);

/** Sweeps, closes, and counts again. */
async function recount({ engine, stop, file }: Awaited<ReturnType<typeof openStore>>): Promise<string[]> {
  while (engine.backend.expiry.sweep(1_000));
  await stop();
  return disagreements(file);
}

describe('sources that only delete expire as an interval', () => {
  it('[D8] an index by an expression; a document for which it fails has no deadline and stays', async () => {
    const expression = 'doc.at == 0.0 ? timestamp(doc.none) : timestamp(doc.text)';
    const test = await openStore({ ttl: { kind: 'expression', expression } });
    const text = new Date(DUE).toISOString();
    await write(test.client, collection, [
      ...numbered(20).map(_id => ({ _id, at: 1, text })),
      ...numbered(3, 'failing').map(_id => ({ _id, at: 0, text })),
      ...numbered(3, 'later').map(_id => ({ _id, at: 1, text: new Date(DUE + HOUR).toISOString() })),
    ]);
    await test.advance(2 * SECOND);
    expect(test.expired).toEqual([{ index: 'ttl', documents: 20 }]);
    expect(await test.stored()).toEqual([...numbered(3, 'failing'), ...numbered(3, 'later')]);
    expect(await recount(test)).toEqual([]);
  });

  it('[D8] beside an interval by an expression, a dropped index still tells which rows are dead', async () => {
    const expression = 'doc.n > 5.0 ? timestamp(doc.text) : null';
    const test = await openStore({ ttl: { kind: 'expression', expression } });
    const { backend } = test.engine;
    const text = new Date(DUE).toISOString();
    await write(
      test.client,
      collection,
      numbered(40).map((_id, n) => ({ _id, n, text })),
    );
    backend.onCommit(({ changes }) => {
      if (!changes.some(({ documents }) => documents !== undefined)) return;
      // At the commit of the interval, before anything is swept.
      backend.dropIndex(collection, 'ttl', 'ada');
      backend.delete(collection, ['d000', 'd010']);
    });
    await test.advance(2 * SECOND);
    expect(await test.stored()).toEqual(numbered(6).slice(1));
    expect(await recount(test)).toEqual([]);
  });

  it('[E1] explicit expirations, beside any number of indexes', async () => {
    const test = await openStore({ one: on('exp'), two: on('alt') });
    await write(
      test.client,
      collection,
      numbered(30).map(_id => ({ _id, exp: NOON + HOUR, alt: NOON + HOUR })),
    );
    test.engine.backend.setExpiration(collection, numbered(20), { after: 1 });
    await test.advance(2 * SECOND);
    expect(test.expired).toEqual([{ index: 'explicit', documents: 20 }]);
    expect(await test.stored()).toEqual(numbered(30).slice(20));
    // The others have several acting sources.
    await test.advance(HOUR);
    expect(test.expired.slice(1)).toHaveLength(10);
    expect(await recount(test)).toEqual([]);
  });

  it('[E1, A2] explicit expirations up to the first one with another action, which acts alone', async () => {
    const test = await openStore({});
    const { backend } = test.engine;
    const patch: OnExpire = { action: 'patch', patch: { seen: true } };
    await write(
      test.client,
      collection,
      [...numbered(40), 'patched', 'quarantined'].map(_id => ({ _id })),
    );
    const stuck: OnExpire = { action: 'replace', expression: 'doc.none' };
    backend.setExpiration(collection, ['quarantined'], { after: 0.5, onExpire: stuck });
    await test.advance(600);
    backend.setExpiration(collection, numbered(40).slice(0, 15), { after: 1 });
    backend.setExpiration(collection, ['patched'], { after: 2, onExpire: patch });
    backend.setExpiration(collection, numbered(40).slice(15, 30), { after: 3 });
    await test.client.reaper.pause({});
    await test.advance(5 * SECOND);
    await test.client.reaper.resume({});
    await test.settle();
    // The batch that acts on it goes on with those after it, for as long as a batch may take.
    expect(test.expired).toEqual([
      { index: 'explicit', documents: 15 },
      ...Array.from({ length: 16 }, () => ({ index: 'explicit', documents: undefined })),
    ]);
    expect(await test.stored()).toEqual([...numbered(40).slice(30), 'patched', 'quarantined']);
    expect(await recount(test)).toEqual([]);
  });

  it('[R3] within the limits of a batch: the interval ends at the last instant up to which they admit all', async () => {
    const test = await openStore({ ttl: on('exp') });
    await test.client.settings.update({ batchSize: 32 });
    // Five documents at each of 20 instants, then 40 at one.
    await write(
      test.client,
      collection,
      numbered(140).map((_id, i) => ({ _id, exp: DUE + Math.min(20, Math.floor(i / 5)) })),
    );
    await test.client.reaper.pause({});
    await test.advance(2 * SECOND);
    await test.client.reaper.resume({});
    await test.settle();
    const intervals = test.expired.filter(({ documents }) => documents !== undefined);
    expect(intervals.map(({ documents }) => documents)).toEqual([30, 30, 30, 10]);
    expect(test.expired.filter(({ documents }) => documents === undefined)).toHaveLength(40);
    expect(await recount(test)).toEqual([]);
  });
});
