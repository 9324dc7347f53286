import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PRESENT_TABLES } from '../../../../electron/engine/backends/embedded/file/migrations/present-tables.ts';
import { ChangeLog } from '../../../../electron/engine/backends/embedded/tables/change-log/change-log.ts';
import { DocumentImagesTable } from '../../../../electron/engine/backends/embedded/tables/change-log/document-images.ts';
import { LogImagesTable } from '../../../../electron/engine/backends/embedded/tables/change-log/log-images.ts';
import {
  packChanges,
  redactChanges,
  unpackChanges,
} from '../../../../electron/engine/backends/embedded/tables/change-log/packed-changes.ts';
import { storedBody } from '../../../../electron/engine/backends/embedded/tables/documents/stored-json.ts';
import {
  type Change,
  Transaction,
} from '../../../../electron/engine/backends/embedded/tables/transaction.ts';
import { NOON, SECOND } from '../../../support/engine.ts';
import { removalsTable } from '../../../support/removals-table.ts';

function tables() {
  const db = new Sqlite(':memory:');
  onTestFinished(() => void db.close());
  db.exec(PRESENT_TABLES);
  return db;
}

const kinds = fc.constantFrom('insert', 'update', 'delete', 'expiration', 'definition', 'expire');
const changes = fc.array(
  fc.record<Change>({
    collection: fc.constantFrom('a', 'b', 'sessions'),
    kind: kinds,
    id: fc.constantFrom('x', 'y', '', 'é', '"', '["a","i1",[]]'),
  }),
  { maxLength: 20 },
);

describe('[V2] the packed changes of a revision', () => {
  it('are read back in their order; those of an expiry without its _id', () => {
    fc.assert(
      fc.property(changes, list => {
        expect(unpackChanges(packChanges(list))).toEqual(
          list.map(({ collection, kind, id }) => ({ collection, kind, id: kind === 'expire' ? null : id })),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are runs of one collection, whose kinds are counted', () => {
    const change = (collection: string, kind: Change['kind'], id: string) => ({ collection, kind, id });
    expect(packChanges([])).toBe('[]');
    expect(
      packChanges([
        change('s', 'insert', 'a'),
        change('s', 'insert', 'b'),
        change('s', 'expire', 'c'),
        change('s', 'expire', 'd'),
        change('t', 'expire', 'e'),
        change('s', 'update', 'f'),
        change('s', 'delete', 'f'),
        change('s', 'expiration', 'f'),
        change('s', 'definition', 'f'),
      ]),
    ).toBe('[["s","i2x2",["a","b"]],["t","x1",[]],["s","u1d1e1f1",["f","f","f","f"]]]');
  });

  it('[X4] without erased _ids are the same otherwise', () => {
    fc.assert(
      fc.property(changes, fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), (list, collection, id) => {
        const redacted = redactChanges(packChanges(list), (of, one) => of === collection && one === id);
        const isErased = (change: Change) =>
          change.collection === collection && change.id === id && change.kind !== 'expire';
        expect(redacted === null).toBe(!list.some(isErased));
        if (redacted === null) return;
        expect(unpackChanges(redacted)).toEqual(
          list.map(change => ({
            collection: change.collection,
            kind: change.kind,
            id: change.kind === 'expire' || isErased(change) ? null : change.id,
          })),
        );
        // Erasing again finds nothing.
        expect(redactChanges(redacted, (of, one) => of === collection && one === id)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('of an unknown kind are refused', () => {
    expect(() => unpackChanges('[["s","i1z1",["a","b"]]]')).toThrow(
      'the log has a change of the unknown kind z',
    );
  });
});

describe('[V2] the change log', () => {
  /** Commits revisions 1 to 4, a second apart: an insert, two expiries of three letters each, nothing, a delete. */
  function filled() {
    const db = tables();
    const log = new ChangeLog(db, removalsTable(db));
    const commit = (revision: number, list: Change[], removals?: number) => {
      const transaction = new Transaction(revision, NOON + revision * SECOND);
      for (const change of list) transaction.note(change);
      if (removals !== undefined) transaction.noteRemovals(removals, list.length);
      log.committed(log.append(transaction));
    };
    commit(1, [{ collection: 'c', kind: 'insert', id: 'abc' }]);
    commit(
      2,
      [
        { collection: 'c', kind: 'expire', id: 'abc' },
        { collection: 'c', kind: 'expire', id: 'def' },
      ],
      7,
    );
    commit(3, []);
    commit(4, [{ collection: 'c', kind: 'delete', id: 'é' }]);
    return { db, log };
  }
  const TEXTS = ['[["c","i1",["abc"]]]', '[["c","x2",[]]]', '[]', '[["c","d1",["é"]]]'];

  it('has a row for each revision, with its removals and its size', () => {
    const { db, log } = filled();
    const sizes = TEXTS.map(text => 40 + Buffer.byteLength(text));
    // Each expiry has a row of `removals`, with its `_id`.
    const [first = 0, second = 0, third = 0, fourth = 0] = sizes;
    const ends = [
      first,
      first + second + 2 * (64 + 3),
      first + second + third + 2 * (64 + 3),
      first + second + third + fourth + 2 * (64 + 3),
    ];
    expect(db.prepare('SELECT * FROM log ORDER BY revision').all()).toEqual(
      [
        { removals_from: 1, removals: 0 },
        { removals_from: 7, removals: 2 },
        { removals_from: 9, removals: 0 },
        { removals_from: 9, removals: 0 },
      ].map((row, i) => ({
        ...row,
        revision: i + 1,
        at: NOON + (i + 1) * SECOND,
        end_offset: ends[i],
        changes: TEXTS[i],
      })),
    );
    expect([log.lastEndOffset(), log.lastAt()]).toEqual([ends[3], NOON + 4 * SECOND]);
    // A log that is opened again goes on after the last row.
    const again = new ChangeLog(db, removalsTable(db));
    expect(again.append(new Transaction(5, NOON))).toEqual({
      nextRemoval: 1,
      endOffset: (ends[3] ?? 0) + 42,
    });
  });

  it('is read from the oldest revision on, and after any', () => {
    const { log } = filled();
    expect([...log.oldest(2)].map(({ revision, at }) => [revision, at])).toEqual([
      [1, NOON + SECOND],
      [2, NOON + 2 * SECOND],
    ]);
    expect(log.after(1, 2)).toEqual([
      { revision: 2, changes: TEXTS[1] },
      { revision: 3, changes: TEXTS[2] },
    ]);
    expect(log.after(0, 10).map(({ revision }) => revision)).toEqual([1, 2, 3, 4]);
    expect(log.after(4, 10)).toEqual([]);
  });

  it('[X4] has other changes of one revision only', () => {
    const { log } = filled();
    log.setChanges(4, '[["c","d1",[null]]]');
    expect(log.after(2, 10).map(({ changes: text }) => text)).toEqual([TEXTS[2], '[["c","d1",[null]]]']);
  });

  it('is deleted from its oldest revision on', () => {
    const { log } = filled();
    const left = () => log.after(0, 10).map(({ revision }) => revision);
    expect(log.deleteSomeThrough(3, 2)).toBe(2);
    expect(left()).toEqual([3, 4]);
    expect(log.deleteSomeThrough(3, 2)).toBe(1);
    expect(log.deleteSomeThrough(3, 2)).toBe(0);
    log.deleteThrough(4);
    expect(left()).toEqual([]);
    expect([log.lastEndOffset(), log.lastAt()]).toEqual([0, 0]);
    const other = filled().log;
    other.deleteThrough(2);
    expect(other.after(0, 10).map(({ revision }) => revision)).toEqual([3, 4]);
    other.deleteAll();
    expect(other.after(0, 10)).toEqual([]);
  });
});

describe('[V5] the images of revisions', () => {
  it('are found, listed and deleted from the oldest on', () => {
    const images = new LogImagesTable(tables());
    expect([images.lastEndOffset(), images.hasThrough(100)]).toEqual([0, false]);
    for (const [revision, endOffset] of [
      [3, 30],
      [5, 50],
      [6, 70],
      [9, 100],
    ] as const)
      images.insert({ revision, removed: '[]', version: null, text: null, interval: null, endOffset });
    expect([images.lastEndOffset(), images.hasThrough(2), images.hasThrough(3)]).toEqual([100, false, true]);
    expect([...images.oldest(2)]).toEqual([
      { revision: 3, endOffset: 30 },
      { revision: 5, endOffset: 50 },
    ]);
    expect(images.deleteSomeThrough(6, 2)).toBe(2);
    expect([...images.oldest(9)].map(({ revision }) => revision)).toEqual([6, 9]);
    expect(images.deleteSomeThrough(6, 2)).toBe(1);
    images.deleteThrough(8);
    expect(images.hasThrough(9)).toBe(true);
    images.deleteThrough(9);
    expect(images.hasThrough(9)).toBe(false);
  });

  it('of documents are deleted by revision, or the oldest first', () => {
    const db = tables();
    const images = new DocumentImagesTable(db);
    const left = () => db.prepare('SELECT revision FROM document_images ORDER BY seq').pluck().all();
    for (const revision of [5, 3, 4, 4, 6, 7])
      images.insert({
        revision,
        collection: 1,
        id: 'a',
        row: 1,
        updatedAt: NOON,
        explicitAt: null,
        explicitAfterMs: null,
        explicitAction: null,
        body: storedBody('{}'),
        quarantined: null,
      });
    images.deleteOf(6);
    expect(left()).toEqual([5, 3, 4, 4, 7]);
    expect(images.deleteSomeThrough(5, 2)).toBe(2);
    expect(left()).toEqual([5, 4, 7]);
    expect(images.deleteSomeThrough(5, 9)).toBe(2);
    images.deleteThrough(6);
    expect(left()).toEqual([7]);
    images.deleteThrough(7);
    expect(left()).toEqual([]);
  });
});
