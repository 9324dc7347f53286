import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowSweeper } from '../../../../electron/engine/backends/embedded/expiry/row-sweeper.ts';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { CollectionsTable } from '../../../../electron/engine/backends/embedded/tables/collections.ts';
import { createDocumentTables } from '../../../../electron/engine/backends/embedded/tables/documents/document-tables.ts';
import { RowSet } from '../../../../electron/engine/backends/embedded/tables/documents/row-set.ts';
import { SweptKeysTable } from '../../../../electron/engine/backends/embedded/tables/documents/swept-keys.ts';
import { removalsTable } from '../../../support/removals-table.ts';
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
  const remove = db.prepare<[number, number, string]>(
    `INSERT INTO removals (seq, revision, position, collection, source, row, id, deadline, removed_at, pass)
     VALUES (?, 1, 1, 1, 1, ?, ?, 0, 0, 1)`,
  );
  const idOf = (row: number) => `${(row * 7_919) % 10_007} ${row}`;
  const dead = new RowSet();
  const living = new Map<string, number>();
  let next = documents + 1;
  let seq = 1;
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
      remove.run(seq++, row, id);
      dead.add(row);
      living.delete(id);
      if (!isBack(row)) continue;
      insert.run(next, id);
      putKey.run(id, next);
      living.set(id, next++);
    }
    db.prepare(
      `INSERT INTO collections (id, name, created_at, documents, explicit) VALUES (1, 'c', 0, ?, 0)`,
    ).run(living.size);
  })();
  const stored = () => ({
    rows: db.prepare('SELECT row, id FROM documents_1 ORDER BY row').raw().all(),
    keys: db.prepare('SELECT row, id FROM keys_1 ORDER BY row').raw().all(),
  });
  return { db, dead, through: seq - 1, living, stored };
}

const sweeperOf = (db: ReturnType<typeof openForWriting>) =>
  new RowSweeper(
    db,
    { collections: new CollectionsTable(db), removals: removalsTable(db) },
    { collection: 1, sorted: new SweptKeysTable(db) },
  );

describe('the sweep of a collection', () => {
  /** Returns the documents or keys that are left after each slice. */
  const leftAfter = (slices: Generator<void, void>, stored: () => unknown[]) =>
    Array.from(slices, () => stored().length);

  it('[R5] frees sixteen rows a slice, or a run of adjacent ones', () => {
    const apart = withDead(
      100,
      row => row % 2 === 0,
      () => false,
    );
    const sweeper = sweeperOf(apart.db);
    expect(leftAfter(sweeper.freeRows(apart.dead), () => apart.stored().rows)).toEqual([84, 68, 52]);
    expect(apart.stored().rows).toHaveLength(50);
    apart.db.close();
    const adjacent = withDead(
      100,
      row => row <= 80,
      () => false,
    );
    const other = sweeperOf(adjacent.db);
    expect(leftAfter(other.freeRows(adjacent.dead), () => adjacent.stored().rows)).toEqual([36, 20]);
    adjacent.db.close();
  });

  it('[R5] reads 256 keys a slice if many are dead, up to the last dead one, and else looks each up', () => {
    const byKey = (row: number) => `${(row * 7_919) % 10_007} ${row}`;
    const order = Array.from({ length: 1_000 }, (_, i) => i + 1).sort((a, b) =>
      byKey(a) < byKey(b) ? -1 : 1,
    );
    const dead = (count: number) => {
      const first = new Set(order.slice(0, count));
      const {
        db,
        dead: rows,
        through,
        stored,
      } = withDead(
        1_000,
        row => first.has(row),
        () => false,
      );
      const sweeper = sweeperOf(db);
      const left = leftAfter(sweeper.freeKeys(rows, { after: 0, through }), () => stored().keys);
      db.close();
      return left;
    };
    expect(dead(200)).toEqual([800]);
    expect(dead(125)).toEqual([875]);
    expect(dead(300)).toEqual([744, 700]);
    // The keys are sorted in two slices, of which the second finds no more, and deleted sixteen a slice.
    expect(dead(40)).toEqual([1_000, 1_000, 984, 968, 960, 960]);
  });

  for (const [what, oneIn] of [
    ['nearly all', 1],
    ['a third', 3],
    ['one in a hundred', 100],
  ] as const) {
    it(`[A1, C4] of which ${what} is dead frees exactly those rows, keeps newer documents, and is idempotent`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(96), (documents, salt) => {
          const hash = (row: number) => (row * 48_271 + salt * 97) % 2_147_483_647;
          const isDead = (row: number) => (oneIn === 1 ? hash(row) % 50 > 0 : hash(row) % oneIn === 0);
          const { db, dead, through, living, stored } = withDead(
            documents,
            isDead,
            row => Math.floor(hash(row) / 100) % 3 === 0,
          );
          const expected = [...living]
            .map(([id, row]) => [row, id])
            .sort(([a], [b]) => Number(a) - Number(b));
          const sweeper = sweeperOf(db);
          for (let time = 0; time < 2; time += 1) {
            for (const _slice of sweeper.freeRows(dead));
            for (const _slice of sweeper.freeKeys(dead, { after: 0, through }));
            expect(stored()).toEqual({ rows: expected, keys: expected });
          }
          db.close();
        }),
        { numRuns: 12 },
      );
    });
  }
});
