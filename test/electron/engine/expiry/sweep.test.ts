import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSweeper } from '../../../../electron/engine/backends/embedded/expiry/row-sweeper.ts';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { createDocumentTables } from '../../../../electron/engine/backends/embedded/tables/documents/document-tables.ts';
import { RowSet } from '../../../../electron/engine/backends/embedded/tables/documents/row-set.ts';
import {
  type SweptKey,
  SweptKeysTable,
} from '../../../../electron/engine/backends/embedded/tables/documents/swept-keys.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

/**
 * Creates documents of which those that `isDead` selects were removed, in random order; some have a newer document of
 * the same `_id`.
 */
function withDead(documents: number, isDead: (row: number) => boolean, isBack: (row: number) => boolean) {
  const db = openForWriting(temporaryStoreFile());
  createDocumentTables(db, 1);
  const insert = db.prepare<[number, string]>(
    `INSERT INTO documents_1 (row, id, updated_at, body) VALUES (?, ?, 0, '{}')`,
  );
  const putKey = db.prepare<[string, number]>(
    'INSERT INTO keys_1 VALUES (?, ?) ON CONFLICT DO UPDATE SET row = excluded.row',
  );
  const idOf = (row: number) => `${(row * 7_919) % 10_007} ${row}`;
  const dead = new RowSet();
  const keys: SweptKey[] = [];
  const living = new Map<string, number>();
  let next = documents + 1;
  db.transaction(() => {
    for (let row = 1; row <= documents; row += 1) {
      const id = idOf(row);
      insert.run(row, id);
      putKey.run(id, row);
      living.set(id, row);
    }
    for (let row = documents; row >= 1; row -= 1) {
      if (!isDead(row)) continue;
      const id = idOf(row);
      keys.push({ collection: 1, id, row });
      dead.add(row);
      living.delete(id);
      if (!isBack(row)) continue;
      insert.run(next, id);
      putKey.run(id, next);
      living.set(id, next++);
    }
  })();
  const stored = () => ({
    rows: db.prepare('SELECT row, id FROM documents_1 ORDER BY row').raw().all(),
    keys: db.prepare('SELECT row, id FROM keys_1 ORDER BY row').raw().all(),
  });
  const sorted = new SweptKeysTable(db);
  const sweeper = new RowSweeper(db, 1, sorted);
  /** The two ways to free keys. */
  const freeKeys = {
    'a scan': () => sweeper.freeKeysByScan(dead),
    lookups: () => {
      sorted.clear();
      // A key of another collection is not looked up in this one.
      sorted.add([...keys, { collection: 2, id: idOf(1), row: 1 }]);
      return sweeper.freeSortedKeys();
    },
  };
  return { db, living, stored, freeRows: () => sweeper.freeRows(dead), freeKeys };
}

describe('the sweep of a collection', () => {
  /** Returns the documents or keys that are left after each slice. */
  const leftAfter = (slices: Generator<void, void>, stored: () => unknown[]) =>
    Array.from(slices, () => stored().length);

  it('[R5] frees sixteen rows a slice, or a run of adjacent ones', () => {
    const left = (isDead: (row: number) => boolean) => {
      const { db, freeRows, stored } = withDead(100, isDead, () => false);
      const slices = leftAfter(freeRows(), () => stored().rows);
      const end = stored().rows.length;
      db.close();
      return { slices, end };
    };
    expect(left(row => row % 2 === 0)).toEqual({ slices: [84, 68, 52], end: 50 });
    expect(left(row => row <= 80)).toEqual({ slices: [36, 20], end: 20 });
  });

  it('[R5] scans 256 keys a slice, up to the last dead one, or looks sixteen up', () => {
    const byKey = (row: number) => `${(row * 7_919) % 10_007} ${row}`;
    const order = Array.from({ length: 1_000 }, (_, i) => i + 1).sort((a, b) =>
      byKey(a) < byKey(b) ? -1 : 1,
    );
    const left = (count: number, by: 'a scan' | 'lookups') => {
      const first = new Set(order.slice(0, count));
      const { db, freeKeys, stored } = withDead(
        1_000,
        row => first.has(row),
        () => false,
      );
      const slices = leftAfter(freeKeys[by](), () => stored().keys);
      db.close();
      return slices;
    };
    expect(left(200, 'a scan')).toEqual([800]);
    expect(left(300, 'a scan')).toEqual([744, 700]);
    expect(left(40, 'lookups')).toEqual([984, 968, 960, 960]);
  });

  for (const [what, oneIn] of [
    ['nearly all', 1],
    ['a third', 3],
    ['one in a hundred', 100],
  ] as const)
    for (const by of ['a scan', 'lookups'] as const)
      it(`[A1, C4] of which ${what} is dead frees exactly those rows by ${by}, keeps newer documents, and is idempotent`, () => {
        fc.assert(
          fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(96), (documents, salt) => {
            const hash = (row: number) => (row * 48_271 + salt * 97) % 2_147_483_647;
            const { db, living, stored, freeRows, freeKeys } = withDead(
              documents,
              row => (oneIn === 1 ? hash(row) % 50 > 0 : hash(row) % oneIn === 0),
              row => Math.floor(hash(row) / 100) % 3 === 0,
            );
            const expected = [...living]
              .map(([id, row]) => [row, id])
              .sort(([a], [b]) => Number(a) - Number(b));
            for (let time = 0; time < 2; time += 1) {
              for (const _slice of freeRows());
              for (const _slice of freeKeys[by]());
              expect(stored()).toEqual({ rows: expected, keys: expected });
            }
            db.close();
          }),
          { numRuns: 12 },
        );
      });
});
