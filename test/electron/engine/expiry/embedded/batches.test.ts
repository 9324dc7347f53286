import { describe, expect, it } from 'vitest';
import { HOUR, NOON, SECOND } from '../../../../support/engine.ts';
import { openRemovingStore } from './removing-store.ts';

const numbered = (count: number, fields: (i: number) => object) =>
  Array.from({ length: count }, (_, i) => ({ _id: `d${String(i).padStart(3, '0')}`, ...fields(i) }));
const PAUSE = { by: 'ada', since: NOON } as const;
const PATCH = { action: 'patch', patch: { a: null, b: null } } as const;

describe('[R5] a batch', () => {
  it('removes what is due at its cutoff, the earliest first, and no later document', async () => {
    const { write, reap, ids } = openRemovingStore({ c: { a: {} } });
    write('c', [
      { _id: 'later', a: NOON + 1 },
      { _id: 'now', a: NOON },
      { _id: 'first', a: 10_000_000_000_000 - 9_000_000_000_000 },
      { _id: 'never', a: 'soon' },
    ]);
    expect(reap('c', 'a', { maxDocuments: 1 })).toMatchObject({ removed: 1, isDrained: false });
    expect(await ids('c')).toEqual(['later', 'never', 'now']);
    expect(reap('c', 'a')).toMatchObject({
      removed: 1,
      changed: 0,
      quarantined: 0,
      stale: 0,
      isDrained: true,
    });
    expect(await ids('c')).toEqual(['later', 'never']);
    expect(reap('c', 'a')).toMatchObject({ removed: 0, lagsMs: [], isDrained: true });
  });

  it('[D4] removes a document of 1 January 1970', async () => {
    const { write, reap, ids } = openRemovingStore({
      c: { a: { source: { kind: 'field', field: 'a', unit: 'seconds', expireAfter: 0 } } },
    });
    write('c', [{ _id: 'epoch', a: 0 }]);
    expect(reap('c', 'a').removed).toBe(1);
    expect(await ids('c')).toEqual([]);
  });

  it('removes up to 64 documents of a single index in each read, and stops after the first without time', () => {
    const { write, reap } = openRemovingStore({
      c: { a: {} },
      d: { a: {}, b: {} },
      e: { a: { onExpire: PATCH } },
    });
    for (const collection of ['c', 'd', 'e'])
      write(
        collection,
        numbered(100, () => ({ a: NOON, b: NOON + HOUR })),
      );
    expect(reap('c', 'a', { budgetMs: () => 0 })).toMatchObject({ removed: 64, isDrained: false });
    expect(reap('c', 'a', { budgetMs: () => 0 })).toMatchObject({ removed: 36, isDrained: true });
    // Documents of other tables are read one by one.
    expect(reap('d', 'a', { budgetMs: () => 0 })).toMatchObject({ removed: 1, isDrained: false });
    expect(reap('d', 'a', { maxDocuments: 20 })).toMatchObject({ removed: 20, isDrained: false });
    expect(reap('d', 'a')).toMatchObject({ removed: 79, isDrained: true });
    expect(reap('e', 'a', { budgetMs: () => 0 })).toMatchObject({ changed: 1, isDrained: false });
    expect(reap('e', 'a', { maxDocuments: 20 })).toMatchObject({ changed: 20, isDrained: false });
    expect(reap('e', 'a')).toMatchObject({ removed: 0, changed: 79, isDrained: true });
  });

  it('ends when its time has passed to the millisecond', () => {
    const { write, reap, clock } = openRemovingStore({ c: { a: { onExpire: PATCH } }, d: { a: {}, b: {} } });
    for (const collection of ['c', 'd'])
      write(
        collection,
        numbered(30, () => ({ a: NOON, b: NOON + HOUR })),
      );
    let calls = 0;
    // One millisecond for each document.
    const budgetMs = () => {
      calls += 1;
      clock.advance(1);
      return 5;
    };
    expect(reap('c', 'a', { budgetMs })).toMatchObject({ changed: 6, isDrained: false });
    expect(calls).toBe(7);
    expect(reap('d', 'a', { budgetMs }).removed).toBeGreaterThan(1);
  });

  it('has the usual time of a commit left when it ends', () => {
    const { store, write, reap, clock } = openRemovingStore({ c: { a: { onExpire: PATCH } } });
    write(
      'c',
      numbered(60, () => ({ a: NOON })),
    );
    let commitMs = 50;
    store.expiry.beforeCommit(() => clock.advance(commitMs));
    const ticking = () => {
      clock.advance(1);
      return 15;
    };
    expect(reap('c', 'a', { maxDocuments: 1 }).heldMs).toBe(50);
    // A fifth of the latest commit: 10 ms are left for it.
    expect(reap('c', 'a', { budgetMs: ticking }).changed).toBe(6);
    commitMs = 0;
    const least = reap('c', 'a', { budgetMs: ticking }).changed;
    for (let i = 0; i < 3; i += 1) reap('c', 'a', { budgetMs: ticking });
    const more = reap('c', 'a', { budgetMs: ticking }).changed;
    expect(least).toBeGreaterThan(1);
    expect(more).toBeGreaterThan(least);
  });

  it('[R7] adds what it did to its pass', () => {
    const { store, write, reap, clock, passOf, sql } = openRemovingStore({
      c: { a: {}, b: { onExpire: PATCH } },
    });
    write('c', [
      { _id: '1', a: NOON },
      { _id: '2', a: NOON },
      { _id: '3', b: NOON },
    ]);
    clock.advance(SECOND);
    const pass = passOf('c');
    store.expiry.beforeCommit(() => clock.advance(7));
    reap('c', 'a', { maxDocuments: 1 }, pass);
    expect(pass).toMatchObject({ removed: 1, changed: 0, batches: 1, longestBatchMs: 7, ending: 'stopped' });
    store.expiry.beforeCommit(() => clock.advance(3));
    reap('c', 'a', { isLast: false }, pass);
    expect(pass).toMatchObject({ removed: 2, batches: 2, longestBatchMs: 10, ending: 'stopped' });
    reap('c', 'b', {}, pass);
    expect(pass).toMatchObject({ removed: 2, changed: 1, quarantined: 0, batches: 3, ending: 'drained' });
    expect([...pass.bySource]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(sql('SELECT id, removed, changed, batches, longest_ms, ending FROM passes')).toEqual([
      [pass.id, 2, 1, 3, 10, 'drained'],
    ]);
    expect(store.expiry.nextPassId()).toBe(pass.id + 1);
  });

  it('[A5] whose action leaves a document due counts it as quarantined, without a lag, and skips it', () => {
    const { write, reap } = openRemovingStore({
      c: { a: { onExpire: { action: 'patch', patch: { isOld: true } } } },
    });
    write('c', [{ _id: '1', a: NOON }]);
    expect(reap('c', 'a')).toMatchObject({ removed: 0, changed: 0, quarantined: 1, lagsMs: [] });
    expect(reap('c', 'a')).toMatchObject({ quarantined: 0, isDrained: true });
  });

  it('[R7] that found nothing leaves no row', () => {
    const { reap, sql } = openRemovingStore({ c: { a: {} } });
    reap('c', 'a');
    expect(sql('SELECT count(*) FROM passes')).toEqual([[0]]);
  });

  it('[M1] has the lag of each removal, from the deadline or the write, whichever is later', () => {
    const { write, reap, clock } = openRemovingStore({ c: { a: {}, b: { onExpire: PATCH } } });
    write('c', [
      { _id: 'past', a: NOON - HOUR },
      { _id: 'due', a: NOON + SECOND },
      { _id: 'patched', b: NOON + 2 * SECOND },
    ]);
    clock.advance(5 * SECOND);
    expect([...reap('c', 'a').lagsMs]).toEqual([5 * SECOND, 4 * SECOND]);
    expect(reap('c', 'b').lagsMs).toEqual([3 * SECOND]);
  });

  it('[V2] records each removal with its lag', () => {
    const { store, write, reap, clock, passOf } = openRemovingStore({ c: { a: {}, b: {} } });
    const changes: unknown[] = [];
    write('c', [{ _id: 'due', a: NOON + SECOND, b: NOON + HOUR }]);
    store.onCommit(commit => changes.push(...commit.changes));
    clock.advance(5 * SECOND);
    const pass = passOf('c');
    reap('c', 'a', {}, pass);
    expect(changes).toEqual([
      {
        collection: 'c',
        kind: 'expire',
        id: 'due',
        index: 'a',
        deadlineAt: NOON + SECOND,
        action: 'delete',
        lagMs: 4 * SECOND,
        pass: pass.id,
      },
    ]);
  });
});

describe('[A6] entries that disagree with their documents', () => {
  it('are dropped, counted and not acted on, among others that are due', async () => {
    const { store, write, reap, ids, sql } = openRemovingStore({ c: { a: {} } });
    write(
      'c',
      numbered(5, () => ({ a: NOON })),
    );
    sql(`UPDATE documents_1 SET explicit_at = -1 WHERE id IN ('d001', 'd003')`);
    const touched: string[][] = [];
    store.expiry.beforeCommit(collections => touched.push([...collections]));
    expect(reap('c', 'a')).toMatchObject({ removed: 3, stale: 2, isDrained: true });
    expect(touched).toEqual([['c']]);
    expect(
      sql('SELECT id FROM documents_1 WHERE id IN (SELECT id FROM keys_1) AND explicit_at = -1'),
    ).toEqual([['d001'], ['d003']]);
    expect(reap('c', 'a')).toMatchObject({ removed: 0, stale: 0 });
    expect((await ids('c')).filter(id => id !== 'd001' && id !== 'd003')).toEqual([]);
  });

  it('alone are dropped too', () => {
    const { write, reap, sql } = openRemovingStore({ c: { a: {} }, d: { a: { onExpire: PATCH } } });
    for (const [collection, table] of [
      ['c', 1],
      ['d', 2],
    ] as const) {
      write(
        collection,
        numbered(3, () => ({ a: NOON })),
      );
      sql(`UPDATE documents_${table} SET explicit_at = -1`);
      expect(reap(collection, 'a')).toMatchObject({ removed: 0, changed: 0, stale: 3 });
      expect(reap(collection, 'a')).toMatchObject({ stale: 0, isDrained: true });
    }
  });
});

describe('[R4] the sources of a store', () => {
  it('have their next deadline and their number of due documents', () => {
    const { store, write, sourceOf, reap } = openRemovingStore({ c: { a: {} } });
    const source = sourceOf('c', 'a');
    expect([store.expiry.nextDeadline(source), store.expiry.due(source, NOON)]).toEqual([null, 0]);
    write('c', [
      { _id: '1', a: NOON },
      { _id: '2', a: NOON + 1 },
      { _id: '3', a: NOON + 2 },
    ]);
    expect(store.expiry.nextDeadline(source)).toBe(NOON);
    expect([NOON - 1, NOON, NOON + 1, NOON + 9].map(at => store.expiry.due(source, at))).toEqual([
      0, 1, 2, 3,
    ]);
    reap('c', 'a');
    expect(store.expiry.nextDeadline(source)).toBe(NOON + 1);
    expect(() => store.expiry.nextDeadline({ ...source, index: 'other' })).toThrow(/other/);
    expect(store.expiry.due({ ...source, index: 'other' }, NOON + 9)).toBe(0);
    expect(store.expiry.due({ ...source, collection: 'other' }, NOON + 9)).toBe(0);
  });

  it('[R1] have their last ticks, stored alone or with what a batch changes', () => {
    const { store, write, sourceOf, reap } = openRemovingStore({
      c: { a: { schedule: { mode: 'every', everyMs: 60_000 } } },
    });
    const ticks = () => store.expiry.sources().map(({ tick }) => tick);
    const { tick } = sourceOf('c', 'a');
    const later = { ...tick, at: NOON + SECOND, state: 'open' as const };
    store.expiry.writeTick(sourceOf('c', 'a'), later);
    store.setPause({ collection: 'c' }, PAUSE, 'ada');
    expect(ticks()).toContainEqual(later);
    write('c', [{ _id: '1', a: NOON }]);
    const latest = { ...tick, at: NOON + 2 * SECOND, state: 'closed' as const };
    store.expiry.beforeCommit(() => store.expiry.writeTick(sourceOf('c', 'a'), latest));
    reap('c', 'a');
    store.setPause({ collection: 'c' }, null, 'ada');
    expect(ticks()).toContainEqual(latest);
  });

  it('[R4] are listed from the oldest on, with what pauses or holds them', () => {
    const { store } = openRemovingStore({ d: { x: {} }, c: { a: {}, b: {} } });
    const paused = () =>
      store.expiry.sources().map(({ index, isPaused, pausedAt }) => [index, isPaused, pausedAt]);
    expect(store.expiry.sources().map(({ collection, index }) => `${collection} ${index}`)).toEqual([
      'c explicit',
      'd explicit',
      'd x',
      'c a',
      'c b',
    ]);
    expect(new Set(paused().flat().slice(1))).toContain(false);
    store.setPause({ collection: 'c', index: 'a' }, PAUSE, 'ada');
    store.setPause({ collection: 'c' }, PAUSE, 'ada');
    expect(paused()).toEqual([
      ['explicit', true, 'collection'],
      ['explicit', false, null],
      ['x', false, null],
      ['a', true, 'index'],
      ['b', true, 'collection'],
    ]);
    store.setPause({ collection: 'c' }, null, 'ada');
    store.setPause({}, PAUSE, 'ada');
    expect(paused()).toEqual([
      ['explicit', true, 'store'],
      ['explicit', true, 'store'],
      ['x', true, 'store'],
      ['a', true, 'index'],
      ['b', true, 'store'],
    ]);
  });
});
