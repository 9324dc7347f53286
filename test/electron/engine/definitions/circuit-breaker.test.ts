import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tripsBreaker } from '../../../../electron/engine/expiry/breaker.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/contract/settings.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

/** Documents 0, 1, 2 … whose date is as many hours before noon as their number. */
function aged(documents: number): { _id: string; at: number }[] {
  return Array.from({ length: documents }, (_, i) => ({ _id: String(i), at: NOON - i * HOUR }));
}

/** A store whose breaker trips above ten documents and half of a collection, with a collection of twenty documents. */
async function twenty(test = openTestEngine()): Promise<TestEngine> {
  await test.client.settings.update({ breakerDocuments: 10 });
  await test.client.collections.create({ name: 'c' });
  await write(test.client, 'c', aged(20));
  return test;
}

/** Source of the index `old`: documents expire at this age. 5 keeps five of twenty, 15 keeps fifteen. */
function olderThan(hours: number) {
  return on('at', { expireAfter: (hours * HOUR) / SECOND - 1 });
}

async function create(test: TestEngine, hours: number, expect?: { dueAtOnce: number; at?: number }) {
  const index = { collection: 'c', name: 'old', source: olderThan(hours) };
  await test.client.ttlIndexes.create(expect === undefined ? index : { ...index, expect });
  await test.settle();
}

function shorten(test: TestEngine, hours: number, expect?: { dueAtOnce: number }) {
  const change = { collection: 'c', index: 'old', expireAfter: (hours * HOUR) / SECOND - 1 };
  return test.client.ttlIndexes.update(expect === undefined ? change : { ...change, expect });
}

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}
async function index({ client }: TestEngine) {
  return client.ttlIndexes.get({ collection: 'c', index: 'old' });
}
async function holds({ client }: TestEngine) {
  return (await client.reaper.get({})).holds;
}

describe('[R8] the circuit breaker', () => {
  it('trips above both bounds, and not at either of them', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.nat(40_000), (due, rest) => {
        const documents = due + rest;
        expect(tripsBreaker({ due, documents }, DEFAULT_SETTINGS)).toBe(due > 10_000 && due > documents / 2);
      }),
    );
    expect(tripsBreaker({ due: 10_000, documents: 10_000 }, DEFAULT_SETTINGS)).toBe(false);
    expect(tripsBreaker({ due: 10_001, documents: 20_002 }, DEFAULT_SETTINGS)).toBe(false);
    expect(tripsBreaker({ due: 10_002, documents: 20_003 }, DEFAULT_SETTINGS)).toBe(true);
  });
});

describe('[R8] a new index that would make too many documents due at once', () => {
  it('is built and has no effect: nothing is removed or hidden, and its collection is held', async () => {
    const test = await twenty(openTestEngine({ user: 'grace' }));
    await create(test, 5);
    expect(await stored(test)).toBe(20);
    expect((await test.client.documents.list({ collection: 'c' })).documents).toHaveLength(20);
    expect(await index(test)).toMatchObject({ state: 'unconfirmed', pending: null, job: null });
    const [hold] = await holds(test);
    expect(hold).toMatchObject({ collection: 'c', cause: 'definition', index: 'old', by: 'grace', due: 15 });
    expect(hold?.sentence).toContain('15 of 20 documents');
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      state: 'held',
      overdue: 0,
      withDeadline: 0,
      holds: [hold],
    });
  });

  it('takes effect once it is confirmed, and its lag is measured from then on', async () => {
    const test = await twenty();
    await create(test, 5);
    await test.advance(MINUTE);
    const [hold] = await holds(test);
    expect(await test.client.reaper.confirm({ hold: hold?.id ?? '' })).toMatchObject({ holds: [] });
    await test.settle();
    expect(await stored(test)).toBe(5);
    expect(await index(test)).toMatchObject({ state: 'ready' });
    expect((await test.client.metrics.get({ collection: 'c' })).lag.maxMs).toBeLessThan(SECOND);
    expect((await refusal(test.client.reaper.confirm({ hold: hold?.id ?? '' }))).code).toBe(
      'EXPECTATION_FAILED',
    );
  });

  it('is still pending after a restart', async () => {
    const before = await twenty();
    await create(before, 5);
    const test = await before.reopen(HOUR);
    await test.settle();
    expect(await stored(test)).toBe(20);
    expect(await holds(test)).toMatchObject([{ cause: 'definition', since: NOON }]);
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    // An hour later one more document is due.
    expect(await stored(test)).toBe(4);
  });

  it('holds the other rules of its collection meanwhile, and no other collection', async () => {
    const test = await twenty();
    await test.client.collections.create({ name: 'other' });
    await test.client.ttlIndexes.create({ collection: 'other', source: on('exp') });
    await test.settle();
    await write(test.client, 'other', [{ exp: NOON + MINUTE }]);
    await create(test, 5);
    await test.client.documents.setExpiration({
      params: { collection: 'c', id: '0' },
      body: { after: 60 },
    });
    await test.advance(2 * MINUTE);
    expect((await test.client.collections.get({ collection: 'other' })).documents).toBe(0);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({
      documents: 20,
      overdue: 1,
    });
  });

  it('with a preview that is still correct never trips', async () => {
    const test = await twenty();
    const preview = await test.client.ttlIndexes.preview({ collection: 'c', source: olderThan(5) });
    expect(preview.dueAtOnce).toBe(15);
    await create(test, 5, { dueAtOnce: preview.dueAtOnce, at: preview.at });
    expect(await stored(test)).toBe(5);
    expect(await holds(test)).toEqual([]);
  });

  it('with an old preview is checked again', async () => {
    const test = await twenty();
    await test.advance(2 * DAY);
    // At that time none would have been due.
    await create(test, 5, { dueAtOnce: 0, at: NOON - 30 * DAY });
    expect(await stored(test)).toBe(20);
    expect(await holds(test)).toMatchObject([{ cause: 'definition' }]);
  });

  it('beside another index counts each document once, before and after it is confirmed', async () => {
    const test = await twenty();
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'later',
      source: on('at', { expireAfter: (100 * DAY) / SECOND }),
    });
    await create(test, 5);
    const summary = () => test.client.collections.get({ collection: 'c' });
    expect(await summary()).toMatchObject({ withDeadline: 20, overdue: 0, recounting: false });
    await shorten(test, 4);
    await test.settle();
    expect(await summary()).toMatchObject({ withDeadline: 20, overdue: 0, recounting: false });
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await summary()).toMatchObject({ documents: 4, withDeadline: 4, overdue: 0, recounting: false });
    const page = await test.client.documents.list({ collection: 'c' });
    expect(new Set(page.documents.map(({ deadlineFrom }) => deadlineFrom))).toEqual(new Set(['old']));
    await test.stop();
    expect(disagreements(test.file)).toEqual([]);
  });

  it('at or below one of its bounds acts at once', async () => {
    const test = await twenty();
    await create(test, 10);
    expect(await stored(test)).toBe(10);
    expect(await holds(test)).toEqual([]);
  });

  for (const [what, undo] of [
    ['dropped', (test: TestEngine) => test.client.ttlIndexes.drop({ collection: 'c', index: 'old' })],
    ['paused', (test: TestEngine) => test.client.reaper.pause({ collection: 'c', index: 'old' })],
    ['changed so that it would not trip', (test: TestEngine) => shorten(test, 15)],
  ] as const) {
    it(`ends its hold when it is ${what}`, async () => {
      const test = await twenty();
      await create(test, 5);
      await undo(test);
      await test.settle();
      expect(await holds(test)).toEqual([]);
      expect((await test.client.collections.get({ collection: 'c' })).state).not.toBe('held');
      expect(await stored(test)).toBe(what.startsWith('changed') ? 15 : 20);
    });
  }

  it('requires confirmation again when it is resumed after a pause', async () => {
    const test = await twenty();
    await create(test, 5);
    await test.client.reaper.pause({ collection: 'c', index: 'old' });
    await test.client.reaper.resume({ collection: 'c', index: 'old' });
    await test.settle();
    expect(await stored(test)).toBe(20);
    expect(await holds(test)).toMatchObject([{ cause: 'definition', index: 'old', due: 15 }]);
  });
});

describe('[R8] an index that is changed and would make too many documents due at once', () => {
  it('keeps its old definition, inactive meanwhile, until the change is confirmed', async () => {
    const test = await twenty();
    await create(test, 19);
    expect(await stored(test)).toBe(19);
    const changed = await shorten(test, 5);
    const source = olderThan(5);
    expect(changed).toMatchObject({
      state: 'ready',
      source: olderThan(19),
      pending: { source, by: 'ada', since: NOON, dueAtOnce: 14 },
    });
    expect(await holds(test)).toMatchObject([
      { collection: 'c', cause: 'definition', index: 'old', due: 14, documents: 19 },
    ]);
    await test.settle();
    expect((await test.client.documents.list({ collection: 'c' })).documents).toHaveLength(19);

    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await index(test)).toMatchObject({ source, pending: null });
    expect(await stored(test)).toBe(5);
  });

  it('on a large collection removes no document before the confirmation', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ confirmDocuments: 100_000 });
    await test.client.collections.create({ name: 'c' });
    await create(test, 100);
    const documents = Array.from({ length: 10_500 }, (_, i) => ({
      _id: String(i),
      at: NOON - HOUR - (i % 7),
    }));
    await write(test.client, 'c', documents);
    const changed = await shorten(test, 1);
    expect(changed.pending).toMatchObject({ dueAtOnce: 10_500 });
    await test.advance(MINUTE);
    expect(await stored(test)).toBe(10_500);
  });

  it('with a correct preview acts at once; an outdated one is refused with the new preview', async () => {
    const test = await twenty();
    await create(test, 19);
    const { code, data } = await refusal(shorten(test, 5, { dueAtOnce: 3 }));
    expect(code).toBe('EXPECTATION_FAILED');
    expect(data).toMatchObject({ preview: { dueAtOnce: 14 } });
    expect(await index(test)).toMatchObject({ pending: null });
    await shorten(test, 5, { dueAtOnce: 14 });
    await test.settle();
    expect(await stored(test)).toBe(5);
    expect(await holds(test)).toEqual([]);
  });

  it('that stops observing counts as such a change', async () => {
    const test = await twenty();
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'old',
      source: olderThan(5),
      schedule: { mode: 'observe' },
    });
    await test.settle();
    expect(await index(test)).toMatchObject({ state: 'observing', overdue: 15 });
    const changed = await test.client.ttlIndexes.update({ collection: 'c', index: 'old', schedule: null });
    expect(changed).toMatchObject({ state: 'observing', pending: { dueAtOnce: 15 } });
    // The source is unchanged: the answer contains the complete pending definition.
    expect(changed.pending).toMatchObject({
      source: changed.source,
      definition: { source: changed.source, schedule: { mode: 'exact' } },
    });
    await test.settle();
    expect(await stored(test)).toBe(20);
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    const [confirmed] = await test.client.ttlIndexes.history({ collection: 'c', index: 'old' });
    expect(confirmed).toMatchObject({
      change: 'confirm',
      before: { schedule: { mode: 'observe' } },
      after: { schedule: { mode: 'exact' } },
    });
    expect(await stored(test)).toBe(5);
    expect(await index(test)).toMatchObject({ state: 'ready', schedule: { mode: 'exact' } });
  });

  it('counts documents that the change makes due, not those that were due already', async () => {
    const test = await twenty();
    await create(test, 10);
    await test.client.reaper.pause({ collection: 'c' });
    await test.advance(5 * HOUR);
    // Five of the ten that are left are overdue; the change makes five more due, and ten are not more than ten.
    await shorten(test, 5);
    expect(await holds(test)).toEqual([]);
  });

  for (const [what, undo] of [
    ['dropped', (test: TestEngine) => test.client.ttlIndexes.drop({ collection: 'c', index: 'old' })],
    ['paused', (test: TestEngine) => test.client.reaper.pause({ collection: 'c', index: 'old' })],
    ['changed again', (test: TestEngine) => shorten(test, 15)],
  ] as const) {
    it(`is no longer pending when it is ${what}`, async () => {
      const test = await twenty();
      await create(test, 19);
      await shorten(test, 5);
      await undo(test);
      await test.settle();
      expect(await holds(test)).toEqual([]);
      expect(await stored(test)).toBe(what === 'changed again' ? 15 : 19);
    });
  }

  it('with a longer TTL or another rate never trips it', async () => {
    const test = await twenty();
    await create(test, 15);
    for (const change of [{ expireAfter: 10 * (DAY / SECOND) }, { limits: { removalsPerSecond: 5 } }])
      expect(
        (await test.client.ttlIndexes.update({ collection: 'c', index: 'old', ...change })).pending,
      ).toBe(null);
    expect(await holds(test)).toEqual([]);
  });
});

describe('[R8] a bulk change of expirations', () => {
  /** Applies the change; the reaper may run between any two parts of it. */
  async function change(
    { client, clock, engine }: TestEngine,
    what: { ids: string[]; set: { never: true } } | { ids: string[]; clear: true },
  ): Promise<void> {
    const stop = engine.backend.onCommit(() => setImmediate(() => clock.advance(0)));
    const { id: job } = await client.documents.setExpirations({ collection: 'c', ...what });
    while ((await client.jobs.get({ job })).state === 'running')
      await new Promise(resolve => setImmediate(resolve));
    stop();
  }

  /** Every document pinned, so that its index has nothing to do. */
  async function pinned(documents: number): Promise<{ test: TestEngine; ids: string[] }> {
    const test = openTestEngine();
    await test.client.settings.update({ breakerDocuments: 1_000, confirmDocuments: 100_000 });
    await test.client.collections.create({ name: 'c' });
    const old = aged(documents + 1).slice(1);
    await write(test.client, 'c', old);
    const ids = old.map(({ _id }) => _id);
    await change(test, { ids, set: { never: true } });
    await create(test, 1);
    expect(await stored(test)).toBe(documents);
    return { test, ids };
  }

  it('that makes too many documents due holds the collection before any is removed, in any number of parts', async () => {
    const { test, ids } = await pinned(1_800);
    await change(test, { ids, clear: true });
    await test.advance(SECOND);
    expect(await stored(test)).toBe(1_800);
    expect(await holds(test)).toMatchObject([
      { collection: 'c', cause: 'bulk change', by: 'ada', due: 1_800, documents: 1_800 },
    ]);
    // Due documents are hidden: the hold stops only the action.
    expect((await test.client.documents.list({ collection: 'c' })).documents).toEqual([]);
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await stored(test)).toBe(0);
  });

  it('below the bounds removes documents at once', async () => {
    const { test, ids } = await pinned(1_800);
    await change(test, { ids: ids.slice(0, 900), clear: true });
    await test.advance(SECOND);
    expect(await stored(test)).toBe(900);
    expect(await holds(test)).toEqual([]);
  });
});

describe('[R8] changes that never trip', () => {
  it('are ordinary writes, reached deadlines, and deletions', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ breakerDocuments: 10, breakerShare: 0 });
    await test.client.collections.create({ name: 'c' });
    await create(test, 1);
    await write(test.client, 'c', aged(40));
    await test.settle();
    await write(
      test.client,
      'c',
      Array.from({ length: 40 }, () => ({ at: NOON })),
    );
    await test.advance(HOUR);
    expect(await stored(test)).toBe(0);
    expect(await holds(test)).toEqual([]);
  });
});

describe('[R6] a held collection', () => {
  it('refuses a manual pass with the reason; a pass over all collections skips it', async () => {
    const test = await twenty();
    await create(test, 5);
    const { code, message, data } = await refusal(test.client.reaper.run({ collection: 'c' }));
    expect(code).toBe('EXPECTATION_FAILED');
    expect(message).toContain('Confirm it first');
    expect(data).toMatchObject({ hold: { cause: 'definition' } });
    await test.client.documents.setExpiration({ params: { collection: 'c', id: '0' }, body: { after: 60 } });
    await test.advance(2 * MINUTE);
    expect(await test.client.collections.get({ collection: 'c' })).toMatchObject({ overdue: 1 });
    expect(await test.client.reaper.run({})).toMatchObject({ removed: 0 });
    expect(await stored(test)).toBe(20);
  });

  it('[R7] ends a pass, which records the hold as its end', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await create(test, 1);
    await test.client.settings.update({ batchSize: 5 });
    await write(
      test.client,
      'c',
      Array.from({ length: 20 }, () => ({ at: NOON })),
    );
    const stop = test.engine.backend.onCommit(({ changes }) => {
      if (changes[0]?.kind !== 'expire') return;
      stop();
      test.engine.backend.holds.place({ collection: 'c', cause: 'import', by: 'ada' });
    });
    await test.advance(HOUR);
    expect(await stored(test)).toBe(15);
    const { passes } = await test.client.reaper.passes({ collection: 'c' });
    expect(passes).toMatchObject([{ removed: 5, ending: 'held' }]);
  });

  it('is confirmed by its own name: a confirmation of the store or of a missing one has no effect', async () => {
    const test = await twenty();
    expect((await refusal(test.client.reaper.confirm({ collection: 'no' }))).code).toBe(
      'COLLECTION_NOT_FOUND',
    );
    await create(test, 5);
    // The store itself is not held: confirming it must not confirm the holds of its collections.
    expect((await test.client.reaper.confirm({})).holds).toHaveLength(1);
    expect(await stored(test)).toBe(20);
  });
});
