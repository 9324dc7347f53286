import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { on } from '../../../support/documents.ts';
import { HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { BY, deletingIndex } from '../../../support/interval-steps.ts';
import { disagreements } from '../../../support/recount.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const LATE = 1_000;

/** A store with an expired interval, and due documents of one earlier instant that were written after it. */
function withLate(): Stepped {
  const stepped = indexed(1);
  stepped.write([{ _id: 'a', exp: NOON + SECOND }]);
  stepped.clock.advance(SECOND);
  stepped.reap();
  stepped.write(Array.from({ length: LATE }, (_, i) => ({ _id: `l${i}`, exp: NOON - HOUR })));
  return stepped;
}

function lateEntries(file: string): number {
  const db = new Sqlite(file, { readonly: true });
  const late = db.prepare<[], number>('SELECT count(*) FROM late_entries').pluck().get() ?? 0;
  db.close();
  return late;
}

/** Sweeps in steps of one slice while `goesOn` for the late entries that are left. */
function sweepWhile({ store, file }: Stepped, goesOn: (late: number) => boolean): void {
  for (let more = true; more && goesOn(lateEntries(file)); ) more = store.expiry.sweep(0);
}

/** Sweeps until some late entries are put back, and others are not. */
function sweepHalf(stepped: Stepped): void {
  sweepWhile(stepped, late => late > LATE / 2);
  const late = lateEntries(stepped.file);
  expect(late > 0 && late <= LATE / 2, `${late} are left`).toBe(true);
}

async function endsWithout(stepped: Stepped, documents: number): Promise<void> {
  stepped.sweep(1_000_000);
  const [summary] = await stepped.store.reads.summaries(['c'], stepped.clock.now());
  expect(summary?.documents).toBe(documents);
  await stepped.store.close();
  expect(disagreements(stepped.file)).toEqual([]);
}

async function counted({ store, clock }: Stepped): Promise<unknown> {
  const now = clock.now();
  const [summary] = await store.reads.summaries(['c'], now);
  const span = { collection: 'c', from: NOON - 2 * HOUR, to: NOON + 2 * HOUR, buckets: 8 };
  const { buckets, overdue, oldestOverdueAt } = await store.reads.timeline(span, now);
  return [summary?.documents, overdue, oldestOverdueAt, buckets.map(({ due }) => due)];
}

describe('late entries of one instant', () => {
  it('are put back a few in each step of the sweep, and counted the same after each', async () => {
    const stepped = withLate();
    const before = await counted(stepped);
    let most = 0;
    for (let left = LATE, more = true; more; ) {
      more = stepped.store.expiry.sweep(0);
      const late = lateEntries(stepped.file);
      most = Math.max(most, left - late);
      left = late;
      expect(await counted(stepped), `${late} are left`).toEqual(before);
    }
    expect(most).toBeLessThanOrEqual(128);
    await endsWithout(stepped, LATE);
  });

  it('are removed, changed and written while they are put back', async () => {
    const stepped = withLate();
    sweepHalf(stepped);
    stepped.write([
      ...Array.from({ length: LATE / 2 }, (_, i) => ({ _id: `l${2 * i}`, exp: NOON + HOUR })),
      ...Array.from({ length: 7 }, (_, i) => ({ _id: `m${i}`, exp: NOON - HOUR })),
    ]);
    stepped.store.delete('c', ['l1', `l${LATE - 1}`]);
    stepped.reap(10);
    await endsWithout(stepped, LATE - 5);
  });

  it('expire at once where they are put back, and one by one otherwise', async () => {
    const stepped = withLate();
    sweepHalf(stepped);
    stepped.reap();
    await endsWithout(stepped, 0);
  });

  it.each(['is dropped', 'gets another source'])('leave a few in each step if their index %s', async what => {
    const stepped = withLate();
    const { store, file } = stepped;
    if (what === 'is dropped') store.dropIndex('c', 'ttl', 'ada');
    else store.changeIndex('c', deletingIndex(on('alt')), BY);
    stepped.build();
    expect(lateEntries(file)).toBe(LATE);
    let most = 0;
    for (let left = LATE, more = true; more; ) {
      more = store.expiry.sweep(0);
      most = Math.max(most, left - lateEntries(file));
      left = lateEntries(file);
    }
    expect(most).toBeLessThanOrEqual(512);
    expect(lateEntries(file)).toBe(0);
    await endsWithout(stepped, LATE);
  });

  it('are put back after the store was opened again', async () => {
    const stepped = withLate();
    const before = await counted(stepped);
    sweepHalf(stepped);
    await stepped.reopen();
    expect(await counted(stepped)).toEqual(before);
    await endsWithout(stepped, LATE);
  });

  it('end with their index', async () => {
    const stepped = withLate();
    sweepHalf(stepped);
    stepped.store.dropIndex('c', 'ttl', BY.by);
    await endsWithout(stepped, LATE);
  });
});
