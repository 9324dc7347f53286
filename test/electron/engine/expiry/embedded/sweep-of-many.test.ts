import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ReapSource } from '../../../../../electron/engine/expiry/expiry-store.ts';
import { DAY, NOON } from '../../../../support/engine.ts';
import { disagreements } from '../../../../support/recount.ts';
import { openRemovingStore } from './removing-store.ts';

const { prepare } = Sqlite.prototype;

/** Counts the rows of `removals` that are read from now on, and the removals that they have. */
function countReads() {
  const read = { rows: 0, removals: 0 };
  const count = (row: unknown) => {
    read.rows += 1;
    read.removals +=
      typeof row === 'object' && row !== null && 'documents' in row ? Number(row.documents) : 1;
  };
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    if (!/^SELECT\b.*\bFROM removals\b/s.test(sql)) return statement;
    const { all, iterate } = statement;
    statement.all = (...parameters: unknown[]) => {
      const rows = Reflect.apply(all, statement, parameters);
      rows.forEach(count);
      return rows;
    };
    statement.iterate = function* (...parameters: unknown[]) {
      for (const row of Reflect.apply(iterate, statement, parameters)) {
        count(row);
        yield row;
      }
    };
    return statement;
  });
  onTestFinished(() => spy.mockRestore());
  return read;
}

/** A store of which each collection has so many documents, and so many of them were removed. Nothing is restorable. */
function withRemoved(collections: readonly { documents: number; removed: number }[]) {
  const read = countReads();
  const names = collections.map((_, i) => `c${i}`);
  const test = openRemovingStore(Object.fromEntries(names.map(name => [name, { exp: { retention: 0 } }])));
  for (const [i, { documents, removed }] of collections.entries()) {
    test.write(
      `c${i}`,
      Array.from({ length: documents }, (_, n) => ({ _id: `k${n}`, exp: n < removed ? NOON : NOON + DAY })),
    );
    test.reap(`c${i}`, 'exp');
  }
  /** Sweeps in steps of one slice. Returns what each has read of `removals`. */
  const sweep = (afterStep = () => {}) => {
    const steps: { rows: number; removals: number }[] = [];
    for (let more = true; more; afterStep()) {
      const before = { ...read };
      more = test.store.expiry.sweep(0);
      steps.push({ rows: read.rows - before.rows, removals: read.removals - before.removals });
    }
    return { steps, rows: sum(steps.map(({ rows }) => rows)) };
  };
  return { ...test, sweep };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('[R5] a sweep of many collections', () => {
  const few = (count: number) => Array.from({ length: count }, () => ({ documents: 40, removed: 3 }));

  it('reads each removal once for all collections that lost a few of many documents', () => {
    const { rows } = withRemoved(few(10)).sweep();
    expect(rows).toBeGreaterThanOrEqual(10);
    expect(withRemoved(few(40)).sweep().rows).toBeLessThanOrEqual(4 * rows);
  });

  it('frees rows of one collection in a step, however few they are', () => {
    const { sweep, sql } = withRemoved(few(10));
    const counts = Array.from({ length: 10 }, (_, i) => `(SELECT count(*) FROM documents_${i + 1})`);
    const left: number[] = [];
    sweep(() => left.push((sql(`SELECT ${counts.join(' + ')}`)[0] as number[])[0] ?? 0));
    expect([...new Set(left)]).toEqual(Array.from({ length: 11 }, (_, freed) => 10 * 40 - 3 * freed));
  });

  it('reads few removals in a step, also if none is of a collection whose keys are looked up', () => {
    const { steps } = withRemoved([
      { documents: 990, removed: 990 },
      { documents: 40, removed: 3 },
    ]).sweep();
    const removals = steps.map(one => one.removals);
    expect(sum(removals)).toBeGreaterThanOrEqual(993);
    // 500, and the others of a packed row.
    expect(Math.max(...removals)).toBeLessThan(500 + 256);
  });

  it('looks keys up, and reads removals for it, only if fewer than one in eight is dead', () => {
    expect(withRemoved([{ documents: 80, removed: 10 }]).sweep().rows).toBe(0);
    expect(withRemoved([{ documents: 81, removed: 10 }]).sweep().rows).toBeGreaterThan(0);
  });
});

/** An action that documents stay after: their keys stay, too. */
const PATCHING = { onExpire: { action: 'patch', patch: { alt: null } } } as const;

/** What happens to a document that is deleted: it is written again never, before the sweep, or in the middle of it. */
const aDead = fc.constantFrom('gone', 'gone', 'back', 'back later');

const aCollection = fc.record({
  // With 150, the dead ones are fewer than one in eight.
  living: fc.constantFrom(0, 10, 150),
  dead: fc.array(aDead, { maxLength: 18 }),
});

const aSweep = fc.record({
  collections: fc.array(aCollection, { minLength: 2, maxLength: 5 }),
  retention: fc.constantFrom(0, null),
  /** Removals in a batch. */
  batch: fc.constantFrom(1, 5),
  /** Steps before the middle. */
  steps: fc.integer({ min: 0, max: 60 }),
  /** Whether a step fails in the middle. */
  fails: fc.boolean(),
  /** What happens to the first collection in the middle. */
  drop: fc.constantFrom('nothing', 'nothing', 'kept', 'released'),
});

it('[A1, C4] a sweep of several collections frees exactly the keys of dead documents, also if it is interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(aSweep, async ({ collections, retention, batch, steps, fails, drop }) => {
      const names = collections.map((_, i) => `c${i}`);
      const { store, file, clock, write, reap, sourceOf, ids } = openRemovingStore(
        Object.fromEntries(names.map(name => [name, { exp: { retention }, alt: PATCHING }])),
      );
      const idsOf = (i: number, fates: readonly string[]) =>
        (collections[i]?.dead ?? []).flatMap((fate, n) => (fates.includes(fate) ? [`k${n} due`] : []));
      const writeAgain = (i: number, fate: string) => {
        const documents = idsOf(i, [fate]).map(_id => ({ _id }));
        if (documents.length > 0) write(`c${i}`, documents);
      };
      for (const [i, { living, dead }] of collections.entries()) {
        const stay = Array.from({ length: living }, (_, n) => ({
          _id: `k${n}`,
          ...(n % 3 === 0 && { alt: NOON + 1 }),
        }));
        const due = dead.map((_, n) => ({ _id: `k${n} due`, exp: NOON + 1 + n }));
        if (living + dead.length > 0) write(`c${i}`, [...stay, ...due]);
      }
      clock.advance(DAY);
      const sources = names.flatMap(name => [sourceOf(name, 'exp'), sourceOf(name, 'alt')]);
      const isDue = (source: ReapSource) => store.expiry.due(source, clock.now()) > 0;
      for (let due = sources.filter(isDue); due.length > 0; due = due.filter(isDue))
        for (const { collection, index } of due) reap(collection, index, { maxDocuments: batch });
      for (const i of names.keys()) writeAgain(i, 'back');

      for (let i = 0; i < steps && store.expiry.sweep(0); i += 1);
      for (const i of names.keys()) writeAgain(i, 'back later');
      if (drop === 'released') store.settings.change({ retention: 0 });
      if (drop !== 'nothing') store.dropCollection('c0', 'ada');
      if (fails) {
        const failing = () => {
          throw new Error('interrupted');
        };
        // A step that completes the round asks for no budget.
        try {
          store.expiry.sweep(failing);
        } catch (error) {
          expect(error).toMatchObject({ message: 'interrupted' });
        }
      }
      while (store.expiry.sweep(0));
      expect(store.unswept()).toBe(0);
      const [dropped] = store.dropped.list();
      expect(dropped !== undefined).toBe(drop === 'kept');
      if (dropped !== undefined) store.dropped.restore(dropped.id, { by: 'ada' });

      for (const [i, { living }] of collections.entries()) {
        if (i === 0 && drop === 'released') continue;
        const stay = Array.from({ length: living }, (_, n) => `k${n}`);
        expect(await ids(`c${i}`)).toEqual([...stay, ...idsOf(i, ['back', 'back later'])].sort());
        writeAgain(i, 'gone');
        expect(await ids(`c${i}`)).toEqual([...stay, ...idsOf(i, ['gone', 'back', 'back later'])].sort());
      }
      await store.close();
      expect(disagreements(file)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
