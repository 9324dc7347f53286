import { describe, expect, it } from 'vitest';
import type { ExpiredSpan, RestoreOptions } from '../../../../../electron/engine/backends/backend.ts';
import { HOUR, NOON, SECOND } from '../../../../support/engine.ts';
import { openRemovingStore } from './removing-store.ts';

const RESTORE: RestoreOptions = { expiration: { never: true }, onConflict: 'skip', choices: {} };
const CONFLICTS = ['skip', 'replace', 'newId'] as const;
/** Removals in order: c/1 and c/2 by `a`, c/3 explicitly, c/4 by hand, d/1 by `a`, moved d/2 by `b`. */
function withRemovals() {
  const test = openRemovingStore({
    c: { a: {} },
    d: { a: {}, b: { onExpire: { action: 'move', to: 'archive' } } },
    archive: {},
  });
  const { store, clock, write, reap } = test;
  write('c', [
    { _id: '1', a: NOON, n: 1 },
    { _id: '2', a: NOON + 1, n: 2 },
    { _id: '3' },
    { _id: '4' },
    { _id: 'stays' },
  ]);
  write('d', [
    { _id: '1', a: NOON },
    { _id: '2', b: NOON },
  ]);
  store.setExpiration('c', ['3'], { at: NOON + SECOND });
  clock.advance(SECOND);
  reap('c', 'a');
  clock.advance(SECOND);
  reap('c', 'explicit');
  store.delete('c', ['4']);
  clock.advance(SECOND);
  reap('d', 'a');
  reap('d', 'b');
  const find = (span: Partial<ExpiredSpan>, order: 'asc' | 'desc' = 'asc') =>
    store.expired.find({ collection: null, ...span }, { cursor: null, order }).ids.map(Number);
  const body = async (collection: string, id: string) =>
    (await store.reads.document({ collection, id, includeExpired: true }, clock.now())).document;
  const sweep = () => {
    while (store.expiry.sweep(10));
  };
  return { ...test, find, body, sweep };
}

describe('[X4] removals are found', () => {
  it('by collection, index, cause and time, in either order', () => {
    const { store, find } = withRemovals();
    const all = find({});
    expect(all).toHaveLength(6);
    const [one = 0, two = 0, three = 0, four = 0, five = 0, six = 0] = all;
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(find({}, 'desc')).toEqual([...all].reverse());
    expect(find({ collection: 'c' })).toEqual([one, two, three, four]);
    expect(find({ collection: 'd' })).toEqual([five, six]);
    expect(find({ index: 'a' })).toEqual([one, two, five]);
    expect(find({ collection: 'c', index: 'a' })).toEqual([one, two]);
    expect(find({ collection: 'c', index: 'b' })).toEqual([]);
    expect(find({ index: 'explicit' })).toEqual([three]);
    expect(find({ index: 'none' })).toEqual([]);
    expect(find({ cause: 'deleted' })).toEqual([four]);
    expect(find({ cause: 'expired' })).toEqual([one, two, three, five, six]);
    expect(find({ removedFrom: NOON + 2 * SECOND })).toEqual([three, four, five, six]);
    expect(find({ removedFrom: NOON + 2 * SECOND, removedTo: NOON + 3 * SECOND })).toEqual([three, four]);
    expect(find({ throughId: two })).toEqual([one, two]);
    const page = store.expired.find({ collection: null }, { cursor: two, order: 'asc' });
    expect(page).toEqual({ ids: [three, four, five, six].map(String), cursor: six });
    expect(store.expired.find({ collection: null }, { cursor: two, order: 'desc' })).toEqual({
      ids: [String(one)],
      cursor: one,
    });
    expect(store.expired.find({ collection: null }, { cursor: six, order: 'asc' })).toEqual({
      ids: [],
      cursor: null,
    });
  });

  it('if they can be restored', () => {
    const { store, clock, find, sweep } = withRemovals();
    const all = find({});
    expect(find({ restorable: true })).toEqual(all);
    sweep();
    expect(find({ restorable: true })).toEqual(all);
    store.expired.restore([String(all[0])], RESTORE);
    expect(find({ restorable: true })).toEqual(all.slice(1));
    expect(find({})).toEqual(all);
    clock.advance(1_000 * HOUR);
    expect(find({ restorable: true })).toEqual([]);
  });
});

describe('[X4] a removed document', () => {
  it.each([false, true])(
    'is restored as it was, once, also by number in a list (swept: %s)',
    async isSwept => {
      const { store, find, body, ids, sweep } = withRemovals();
      if (isSwept) sweep();
      const [one, two] = find({}).map(String);
      const changes: string[] = [];
      store.onCommit(commit => changes.push(...commit.changes.map(({ kind, id }) => `${kind} ${id}`)));
      const before = store.revision;
      const result = store.expired.restore([one ?? '', '999', two ?? ''], RESTORE);
      expect(result).toEqual({
        succeeded: 2,
        revision: before + 1,
        failed: [
          { _id: '999', code: 'EXPIRED_NOT_FOUND', message: expect.stringContaining('No copy is kept') },
        ],
      });
      expect(changes.filter(change => change.startsWith('insert'))).toEqual(['insert 1', 'insert 2']);
      expect(await ids('c')).toEqual(['1', '2', 'stays']);
      expect(await body('c', '2')).toEqual({ _id: '2', a: NOON + 1, n: 2 });
      expect(store.expired.restore([one ?? ''], RESTORE)).toMatchObject({
        succeeded: 0,
        failed: [{ _id: '1', code: 'EXPIRED_NOT_FOUND' }],
      });
    },
  );

  it('gets the given expiration', async () => {
    const { store, clock, find } = withRemovals();
    const [one = ''] = find({}).map(String);
    store.expired.restore([one], { ...RESTORE, expiration: { after: 60 } });
    const { deadlineAt } = await store.reads.document(
      { collection: 'c', id: '1', includeExpired: true },
      clock.now(),
    );
    expect(deadlineAt).toBe(clock.now() + 60 * SECOND);
  });

  it.each(CONFLICTS)('whose _id is in use again: %s', async onConflict => {
    const { store, write, find, body, ids } = withRemovals();
    const [one = ''] = find({}).map(String);
    write('c', [{ _id: '1', n: 'new' }]);
    const changes: string[] = [];
    store.onCommit(commit => changes.push(...commit.changes.map(({ kind }) => kind)));
    const result = store.expired.restore([one], { ...RESTORE, onConflict });
    const left = await ids('c');
    if (onConflict === 'skip') {
      expect(result).toMatchObject({ succeeded: 0, failed: [{ _id: '1', code: 'DOCUMENT_EXISTS' }] });
      expect(await body('c', '1')).toEqual({ _id: '1', n: 'new' });
      expect(changes).toEqual([]);
    } else if (onConflict === 'replace') {
      expect(result).toMatchObject({ succeeded: 1, failed: [] });
      expect(await body('c', '1')).toEqual({ _id: '1', a: NOON, n: 1 });
      expect(changes).toContain('update');
      expect(left).toEqual(['1', 'stays']);
    } else {
      expect(result).toMatchObject({ succeeded: 1, failed: [] });
      const [other = ''] = left.filter(id => id !== '1' && id !== 'stays');
      expect(await body('c', '1')).toEqual({ _id: '1', n: 'new' });
      expect(await body('c', other)).toEqual({ _id: other, a: NOON, n: 1 });
      expect(changes).toContain('insert');
    }
  });

  it('follows the choice for its own removal', async () => {
    const { store, write, find, body } = withRemovals();
    const [one = '', two = ''] = find({}).map(String);
    write('c', [
      { _id: '1', n: 'new' },
      { _id: '2', n: 'new' },
    ]);
    const result = store.expired.restore([one, two], { ...RESTORE, choices: { [two]: 'replace' } });
    expect(result).toMatchObject({ succeeded: 1, failed: [{ _id: '1' }] });
    expect(await body('c', '2')).toMatchObject({ n: 2 });
  });

  it('that was moved leaves its archive, unless it was written there since', async () => {
    const { store, write, find, ids } = withRemovals();
    const moved = String(find({}).at(-1));
    expect(await ids('archive')).toEqual(['2']);
    const changes: string[] = [];
    store.onCommit(commit =>
      changes.push(...commit.changes.map(({ collection, kind, id }) => `${kind} ${collection}/${id}`)),
    );
    expect(store.expired.restore([moved], RESTORE)).toMatchObject({ succeeded: 1 });
    expect([await ids('archive'), await ids('d')]).toEqual([[], ['2']]);
    expect(changes).toEqual(['insert d/2', 'expiration d/2', 'delete archive/2']);
    const other = withRemovals();
    other.write('archive', [{ _id: '2', isRead: true }], 'upsert');
    const again = String(other.find({}).at(-1));
    expect(other.store.expired.restore([again], RESTORE)).toMatchObject({ succeeded: 1 });
    expect([await other.ids('archive'), await other.ids('d')]).toEqual([['2'], ['2']]);
    write('c', [{ _id: 'last' }]);
  });

  it('that is no longer in its archive is restored too', async () => {
    const { store, find, ids } = withRemovals();
    const moved = String(find({}).at(-1));
    store.delete('archive', ['2']);
    expect(store.expired.restore([moved], RESTORE)).toMatchObject({ succeeded: 1 });
    expect([await ids('archive'), await ids('d')]).toEqual([[], ['2']]);
  });

  it('of a dropped collection is not restored alone', () => {
    const { store, find } = withRemovals();
    const [one = ''] = find({}).map(String);
    store.dropCollection('c', 'ada');
    expect(store.expired.restore([one], RESTORE)).toMatchObject({
      succeeded: 0,
      failed: [{ _id: '1', code: 'EXPIRED_NOT_FOUND' }],
    });
  });

  it('is not restored if the store is damaged, which is no answer of the call', () => {
    const { store, find, sql } = withRemovals();
    const [one = ''] = find({}).map(String);
    sql('DROP TABLE keys_1');
    expect(() => store.expired.restore([one], RESTORE)).toThrow('no such table');
  });
});
