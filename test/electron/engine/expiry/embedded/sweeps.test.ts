import { describe, expect, it } from 'vitest';
import { EACH_COPY, EACH_REMOVAL } from '../../../../support/each-removal.ts';
import { DAY, HOUR, MINUTE, NOON, SECOND } from '../../../../support/engine.ts';
import { disagreements } from '../../../../support/recount.ts';
import { openRemovingStore } from './removing-store.ts';

const numbered = (count: number, fields: (i: number) => object) =>
  Array.from({ length: count }, (_, i) => ({ _id: `d${String(i).padStart(4, '0')}`, ...fields(i) }));

/** A store from which `removed` of `documents` were removed. */
function withRemoved(documents: number, removed: number, retention: number | null = null) {
  const test = openRemovingStore({ c: { a: { retention } } });
  test.write(
    'c',
    numbered(documents, i => ({ a: NOON + (i < removed ? 0 : DAY), text: 'x'.repeat(100) })),
  );
  test.reap('c', 'a');
  const sweep = () => {
    let steps = 1;
    while (test.store.expiry.sweep(10)) steps += 1;
    return steps;
  };
  const rows = () =>
    ['documents_1', 'keys_1', EACH_COPY, EACH_REMOVAL].map(
      table => (test.sql(`SELECT count(*) FROM ${table}`)[0] as number[])[0],
    );
  return { ...test, sweep, rows };
}

describe('[S1] a sweep', () => {
  it('frees the rows and keys of removed documents, and keeps restorable copies', async () => {
    const { store, file, sweep, rows, ids } = withRemoved(300, 100);
    expect(rows()).toEqual([300, 300, 0, 100]);
    expect(store.unswept()).toBe(100);
    sweep();
    expect(store.unswept()).toBe(0);
    expect(rows()).toEqual([200, 200, 100, 100]);
    expect(await ids('c')).toHaveLength(200);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });

  it('keeps no copies of documents without retention', () => {
    const { sweep, rows } = withRemoved(30, 20, 0);
    sweep();
    expect(rows().slice(0, 3)).toEqual([10, 10, 0]);
  });

  it('works for about its budget, and goes on where it stopped', () => {
    const { store, clock, rows, write } = withRemoved(900, 600);
    let checks = 0;
    const budget = () => {
      checks += 1;
      clock.advance(1);
      return 4;
    };
    const unfreed: (number | undefined)[] = [];
    for (let steps = 0; steps < 100 && store.unswept() > 0; steps += 1) {
      expect(store.expiry.sweep(budget)).toBe(true);
      unfreed.push(rows()[0]);
    }
    expect(store.unswept()).toBe(0);
    expect(new Set(unfreed).size).toBeGreaterThan(1);
    // Slices of copies, rows and keys.
    expect(checks).toBeGreaterThan(8);
    expect(checks).toBeLessThan(100);
    write('c', [{ _id: 'new' }]);
    expect(rows()[0]).toBe(301);
  });

  it('leaves the usual time of a commit, but at least a quarter of its budget', () => {
    const { store, clock, write, reap } = withRemoved(400, 200, 0);
    store.expiry.sweep(1_000);
    while (store.expiry.sweep(1_000));
    write(
      'c',
      numbered(400, () => ({ a: NOON })),
      'upsert',
    );
    reap('c', 'a', { maxDocuments: 400 });
    const used: number[] = [];
    const started = clock.elapsed();
    let calls = 0;
    while (store.unswept() > 0 && calls < 500) {
      calls += 1;
      const before = clock.elapsed();
      store.expiry.sweep(() => {
        clock.advance(1);
        return 8;
      });
      used.push(clock.elapsed() - before);
    }
    expect(clock.elapsed()).toBeGreaterThan(started);
    expect(Math.max(...used)).toBeLessThanOrEqual(9);
    expect(used[0]).toBeGreaterThan(2);
  });

  it('stays within a removal that continues meanwhile: those of the next round wait', () => {
    const { store, clock, write, reap, sweep, rows } = withRemoved(100, 50);
    const one = () => {
      clock.advance(100);
      return 1;
    };
    expect(store.expiry.sweep(one)).toBe(true);
    write('c', [{ _id: 'next', a: NOON }]);
    reap('c', 'a');
    sweep();
    expect(store.unswept()).toBe(0);
    expect(rows()).toEqual([50, 50, 51, 51]);
  });

  it('deletes old removals once a minute', () => {
    const { store, clock, sweep, rows } = withRemoved(10, 5, 0);
    sweep();
    expect(rows()[3]).toBe(5);
    clock.advance(90 * DAY);
    while (store.compactLog());
    expect(store.expiry.sweep(10)).toBe(true);
    sweep();
    expect(rows()[3]).toBe(0);
    expect(store.expiry.sweep(10)).toBe(false);
    clock.advance(MINUTE - 1);
    expect(store.expiry.sweep(10)).toBe(false);
  });

  it('deletes removals that the log no longer has, a minute after the last time', () => {
    const { store, clock, write, reap, sweep, rows } = withRemoved(10, 5, 0);
    store.settings.change({ logSeconds: 60 });
    sweep();
    const compact = () => {
      while (store.compactLog());
      sweep();
      return rows()[3];
    };
    clock.advance(30 * SECOND);
    write('c', [{ _id: 'due', a: NOON }]);
    reap('c', 'a');
    expect(compact()).toBe(6);
    clock.advance(31 * SECOND);
    expect(compact()).toBe(1);
    clock.advance(31 * SECOND);
    expect(compact()).toBe(1);
    clock.advance(28 * SECOND);
    expect(compact()).toBe(1);
    clock.advance(SECOND);
    expect(compact()).toBe(0);
  });

  it('goes on with what was removed during a round', () => {
    const { store, clock, write, reap, sweep } = withRemoved(10, 5, 0);
    sweep();
    write('c', [{ _id: 'one', a: NOON }]);
    reap('c', 'a');
    const slice = () => {
      clock.advance(1);
      return 0;
    };
    expect(store.expiry.sweep(slice)).toBe(true);
    write('c', [{ _id: 'two', a: NOON }]);
    reap('c', 'a');
    const answers: boolean[] = [];
    while (answers.length < 100 && answers.at(-1) !== false) answers.push(store.expiry.sweep(slice));
    expect(store.unswept()).toBe(0);
    expect(answers.at(-1)).toBe(false);
  });

  it('frees nothing of a collection whose tables are gone', async () => {
    const { store, file, sweep, sql } = withRemoved(100, 50);
    store.settings.change({ retention: 0 });
    store.dropCollection('c', 'ada');
    store.expiry.sweep(() => 0);
    while (store.dropped.free(1_000));
    expect(sql("SELECT name FROM sqlite_schema WHERE name = 'documents_1'")).toEqual([]);
    sweep();
    expect(store.unswept()).toBe(0);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });

  it('frees nothing of a collection that was dropped without retention meanwhile', async () => {
    const { store, file, sweep } = withRemoved(100, 50);
    store.settings.change({ retention: 0 });
    store.dropCollection('c', 'ada');
    sweep();
    expect(store.unswept()).toBe(0);
    await store.close();
    expect(disagreements(file)).toEqual([]);
  });

  it('keeps the newer document of the same _id', async () => {
    const { write, sweep, ids, rows } = withRemoved(40, 20);
    write(
      'c',
      numbered(10, () => ({ n: 'new' })),
    );
    sweep();
    expect(await ids('c')).toHaveLength(30);
    expect(rows().slice(0, 2)).toEqual([30, 30]);
  });
});

describe('[X4] restorable data', () => {
  it('is evicted when its retention has ended', () => {
    const { clock, store, sweep, rows } = withRemoved(1_000, 900, 60);
    sweep();
    expect(rows()[2]).toBe(900);
    clock.advance(59 * SECOND);
    sweep();
    expect(rows()[2]).toBe(900);
    clock.advance(2 * MINUTE);
    expect(store.expiry.sweep(() => 0)).toBe(true);
    const left = rows()[2] ?? 0;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(900);
    sweep();
    expect(rows()[2]).toBe(0);
  });

  it('is evicted from the oldest on beyond its limit, copies and dropped collections alike', () => {
    const { store, clock, write, reap, sweep, rows } = withRemoved(60, 20);
    sweep();
    const bytes = (rows()[2] ?? 0) * 150;
    store.settings.change({ retentionBytes: bytes * 10 });
    sweep();
    expect(rows()[2]).toBe(20);
    clock.advance(HOUR);
    store.createCollection('d');
    write(
      'd',
      numbered(20, () => ({ text: 'x'.repeat(100) })),
    );
    store.dropCollection('d', 'ada');
    clock.advance(HOUR);
    write(
      'c',
      numbered(10, () => ({ a: NOON, text: 'x'.repeat(100) })),
      'upsert',
    );
    reap('c', 'a');
    sweep();
    expect(rows()[2]).toBe(30);
    expect(store.dropped.list()).toHaveLength(1);
    // Room for the latest copies and the dropped collection, then for the copies only.
    store.settings.change({ retentionBytes: 4_000 });
    sweep();
    expect([rows()[2], store.dropped.list().length]).toEqual([10, 1]);
    store.settings.change({ retentionBytes: 2_000 });
    sweep();
    expect([rows()[2], store.dropped.list().length]).toEqual([10, 0]);
    store.settings.change({ retentionBytes: 0 });
    sweep();
    expect(rows()[2]).toBe(0);
  });

  it('is evicted together with some more at its limit, so that no deletion by hand writes all copies of a row again', () => {
    const { store, sweep, write, sql } = withRemoved(256, 256);
    sweep();
    const packed = () => JSON.stringify(sql('SELECT seq, lengths FROM retained WHERE lengths IS NOT NULL'));
    const text = 'x'.repeat(100);
    const names = numbered(100, () => ({ text }));
    write('c', names);
    store.settings.change({ retentionBytes: 256 * 150 });
    let last = packed();
    let written = 0;
    for (const { _id } of names) {
      store.delete('c', [_id]);
      if (packed() !== last) written += 1;
      last = packed();
    }
    expect(written).toBeGreaterThan(2);
    expect(written).toBeLessThan(40);
  });
});
