import { describe, expect, it } from 'vitest';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import type { OnExpire } from '../../../../shared/model/ttl-index.ts';
import { on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const collection = 'c';
const patch = (value: Extract<OnExpire, { action: 'patch' }>['patch']): OnExpire => ({
  action: 'patch',
  patch: value,
});

async function withIndexes(actions: Record<string, OnExpire>): Promise<TestEngine> {
  const test = openTestEngine();
  await test.client.collections.create({ name: collection });
  for (const [field, onExpire] of Object.entries(actions))
    await test.client.ttlIndexes.create({ collection, name: field, source: on(field), onExpire });
  await test.settle();
  return test;
}

const UNDOING = {
  x: patch({ x: null, y: NOON }),
  y: patch({ y: null, x: NOON }),
};

/** Runs one batch of a source, as the reaper does. Returns how many documents it changed and quarantined. */
function reap({ engine: { backend, clock } }: TestEngine, index: string) {
  const source = backend.expiry.sources().find(one => one.index === index);
  if (source === undefined) throw new Error('there is no such source');
  const pass = newPass({ id: backend.expiry.nextPassId(), collection, trigger: 'manual', at: clock.now() });
  const limits = { cutoff: clock.now(), budgetMs: () => 1_000, maxDocuments: 1, isLast: true };
  const { changed, quarantined } = backend.expiry.reap(source, limits, pass);
  return { changed, quarantined };
}

async function quarantinedIn({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection })).quarantined;
}

describe('TTL indexes that undo each other', () => {
  it('[A5] quarantine a document after a few consecutive actions, and others continue', async () => {
    const test = await withIndexes(UNDOING);
    const { client, advance } = test;
    await write(client, collection, [
      { _id: 'a', x: NOON + SECOND },
      { _id: 'b', y: NOON + SECOND },
      { _id: 'c' },
    ]);
    const before = test.engine.backend.revision;
    await advance(HOUR);
    expect(test.engine.backend.revision).toBeLessThan(before + 20);
    expect(await quarantinedIn(test)).toBe(2);
    const listed = await client.documents.list({ collection, state: 'quarantined' });
    expect(listed.documents.map(({ _id }) => _id)).toEqual(['a', 'b']);
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('[A5] quarantine it even if the store is reopened between two actions', async () => {
    let test = await withIndexes(UNDOING);
    await test.client.reaper.pause({});
    await write(test.client, collection, [{ _id: 'a', x: NOON }]);
    const outcomes: string[] = [];
    for (let i = 0; i < 8; i++) {
      const { changed, quarantined } = reap(test, i % 2 === 0 ? 'x' : 'y');
      outcomes.push(changed > 0 ? 'changed' : quarantined > 0 ? 'quarantined' : 'nothing due');
      test = await test.reopen(SECOND);
    }
    expect(outcomes).toEqual([...Array(6).fill('changed'), 'quarantined', 'nothing due']);
  });

  it('[A5] retry it when it is written, and when the index is changed', async () => {
    const test = await withIndexes(UNDOING);
    const { client, advance } = test;
    await write(client, collection, [{ _id: 'a', x: NOON }]);
    await advance(SECOND);
    expect(await quarantinedIn(test)).toBe(1);
    await client.reaper.pause({});
    await write(client, collection, [{ _id: 'a', x: NOON }], { mode: 'upsert' });
    expect(await quarantinedIn(test)).toBe(0);
    await client.reaper.resume({});
    await advance(SECOND);
    expect(await quarantinedIn(test)).toBe(1);
    // The index that quarantined the document gets an action that ends the cycle.
    await client.ttlIndexes.update({ collection, index: 'x', onExpire: patch({ x: null, done: true }) });
    await test.settle();
    await client.ttlIndexes.update({ collection, index: 'y', onExpire: patch({ y: null, done: true }) });
    await advance(SECOND);
    expect(await quarantinedIn(test)).toBe(0);
    const { document } = await client.documents.get({ collection, id: 'a' });
    expect(document).toEqual({ _id: 'a', done: true });
  });
});

describe('a document passed from index to index', () => {
  it('[A5] completes several stages that are all due', async () => {
    const stages = ['a', 'b', 'c', 'd', 'e'];
    const test = await withIndexes(
      Object.fromEntries(stages.map((field, i) => [field, patch({ [field]: null, [`f${i}`]: true })])),
    );
    await write(test.client, collection, [
      { _id: 'a', ...Object.fromEntries(stages.map(field => [field, NOON + SECOND])) },
    ]);
    await test.advance(SECOND);
    expect(await quarantinedIn(test)).toBe(0);
    const { document } = await test.client.documents.get({ collection, id: 'a' });
    expect(Object.keys(document)).toHaveLength(1 + stages.length);
  });

  it('[A5] may recur endlessly, each time at a later instant', async () => {
    const test = await withIndexes({
      x: { action: 'replace', expression: 'merge(without(doc, "x"), {"y": now + duration("1s")})' },
      y: { action: 'replace', expression: 'merge(without(doc, "y"), {"x": now + duration("1s")})' },
    });
    await write(test.client, collection, [{ _id: 'a', x: NOON + SECOND }]);
    await test.advance(30 * SECOND);
    expect(await quarantinedIn(test)).toBe(0);
    const { expired } = await test.client.metrics.expired({});
    expect(expired).toHaveLength(30);
  });
});
