import { describe, expect, it, onTestFinished } from 'vitest';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { on } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { BY, deletingIndex } from '../../../support/interval-steps.ts';
import { refuseCommits } from '../../../support/refuse-commits.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const LONG_PAST = NOON - 30 * DAY;

function open(intervalFrom: number | null): Stepped {
  const stepped = indexed(intervalFrom);
  onTestFinished(() => stepped.store.close());
  return stepped;
}

/** Writes documents with a deadline in the past that keep because they are pinned. */
function writePinned({ store }: Stepped, ids: readonly string[], exp = LONG_PAST): void {
  store.write(
    'c',
    ids.map((_id, i) => ({
      text: JSON.stringify({ _id, exp }),
      line: i + 1,
      expiration: { kind: 'pin' },
    })),
    { mode: 'upsert', atomic: true },
  );
}

/** Writes documents and clears their explicit expirations a second later, which makes them due then. */
function writeCleared(stepped: Stepped, ids: readonly string[], exp = LONG_PAST): void {
  writePinned(stepped, ids, exp);
  stepped.clock.advance(SECOND);
  stepped.store.setExpiration('c', ids, null);
}

/** Runs one batch of an index, and returns the lags of what it removed, ms, in ascending order. */
function lagsOfBatch({ store, clock }: Stepped, { maxDocuments = 1_000, index = 'ttl' } = {}): number[] {
  const now = clock.now();
  const source = store.expiry.sources().find(one => one.index === index);
  if (source === undefined) throw new Error(`there is no index ${index}`);
  const pass = newPass({ id: store.expiry.nextPassId(), collection: 'c', trigger: 'manual', at: now });
  const limits = { cutoff: now, budgetMs: () => 1_000, maxDocuments, isLast: true };
  const { lagsMs, lagGroups = [] } = store.expiry.reap(source, limits, pass);
  const groups = lagGroups.flatMap(({ lagMs, documents }) => Array<number>(documents).fill(lagMs));
  return [...lagsMs, ...groups].sort((a, b) => a - b);
}

/** Removes a document that becomes due now, and returns its lag, ms. */
function lagOfAnother(stepped: Stepped, index?: string): number[] {
  stepped.clock.advance(HOUR);
  const at = stepped.clock.now() + SECOND;
  stepped.write([{ _id: 'other', exp: at, other: at }]);
  stepped.clock.advance(SECOND);
  return lagsOfBatch(stepped, { index });
}

describe.each([
  ['one by one', null],
  ['at once', 1],
])(
  '[M1] the lag of documents that are removed %s and became due when their expiration was cleared',
  (_, from) => {
    it('runs from then', () => {
      const stepped = open(from);
      writeCleared(stepped, ['a', 'b']);
      stepped.clock.advance(100);
      expect(lagsOfBatch(stepped)).toEqual([100, 100]);
    });

    it('runs from then also if the first batch could not be committed', () => {
      const commits = refuseCommits();
      const stepped = open(from);
      writeCleared(stepped, ['a']);
      stepped.clock.advance(100);
      commits.arm();
      expect(() => lagsOfBatch(stepped)).toThrow();
      expect(commits.refused).toBe(1);
      expect(lagsOfBatch(stepped)).toEqual([100]);
    });

    it('runs from the change that was committed, and not from one before it that was refused', () => {
      const commits = refuseCommits();
      const stepped = open(from);
      writePinned(stepped, ['a']);
      stepped.clock.advance(SECOND);
      commits.arm();
      expect(() => stepped.store.setExpiration('c', ['a'], null)).toThrow();
      expect(lagOfAnother(stepped)).toEqual([0]);
      stepped.store.setExpiration('c', ['a'], null);
      stepped.clock.advance(100);
      expect(lagsOfBatch(stepped)).toEqual([100]);
    });

    it('runs from then also if a change that would have put the document off was refused', () => {
      const commits = refuseCommits();
      const stepped = open(from);
      writeCleared(stepped, ['a']);
      commits.arm();
      expect(() => stepped.write([{ _id: 'a', exp: NOON + DAY }])).toThrow();
      stepped.write([{ _id: 'other', exp: NOON + DAY }]);
      stepped.clock.advance(100);
      expect(lagsOfBatch(stepped)).toEqual([100]);
    });

    it('runs from then for each, if a batch removes only the first of them', () => {
      const stepped = open(from);
      writeCleared(stepped, ['later'], LONG_PAST + DAY);
      stepped.clock.advance(100);
      writeCleared(stepped, ['first'], LONG_PAST);
      stepped.clock.advance(100);
      expect(lagsOfBatch(stepped, { maxDocuments: 1 })).toEqual([100]);
      expect(lagsOfBatch(stepped, { maxDocuments: 1 })).toEqual([1_200]);
    });

    it('runs from then also if others with later deadlines are removed before them', () => {
      const stepped = open(from);
      stepped.write([{ _id: 'a', exp: NOON }]);
      expect(lagsOfBatch(stepped)).toEqual([0]);
      writeCleared(stepped, ['late']);
      stepped.write([{ _id: 'b', exp: stepped.clock.now() + 100 }]);
      stepped.clock.advance(100);
      const lags = [...lagsOfBatch(stepped), ...lagsOfBatch(stepped)];
      expect(lags.sort((a, b) => a - b)).toEqual([0, 100]);
    });
  },
);

describe('[M1] a document that became due when its expiration was cleared leaves no lag to others that expire at once', () => {
  it.each<[string, (stepped: Stepped) => void]>([
    ['it is deleted by hand', ({ store }) => store.delete('c', ['a'])],
    ['it gets a later deadline', stepped => stepped.write([{ _id: 'a', exp: NOON + 10 * DAY }])],
    ['it is pinned again', ({ store }) => store.setExpiration('c', ['a'], { never: true })],
    ['its removal is completed by a write', ({ store }) => store.put('c', 'a', { n: 1 })],
  ])('if %s', (_, change) => {
    const stepped = open(1);
    writeCleared(stepped, ['a']);
    change(stepped);
    expect(lagOfAnother(stepped)).toEqual([0]);
  });

  it('if it was due by an index that is dropped', () => {
    const stepped = open(1);
    const { store } = stepped;
    store.createIndex('c', deletingIndex(on('other'), { name: 'second' }), BY);
    stepped.build();
    writeCleared(stepped, ['a']);
    store.dropIndex('c', 'ttl', 'ada');
    expect(lagOfAnother(stepped, 'second')).toEqual([0]);
  });
});
