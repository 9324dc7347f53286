import { describe, expect, it } from 'vitest';
import { NOON, SECOND } from '../../../../support/engine.ts';
import { openReaper, type ReaperTest } from './memory-expiry-store.ts';

const at = (seconds: number) => NOON + seconds * SECOND;
const due = (documents: number, seconds: number) => Array<number>(documents).fill(at(seconds));

/** Sets the clock back after the first batch, while a document due in between is written. */
function setBackAfterFirst({ store, clock }: ReaperTest, key: string, to: number, deadline: number): void {
  let isSet = false;
  store.afterBatch = () => {
    if (isSet) return;
    isSet = true;
    clock.set(to);
    store.write(key, deadline);
  };
}

/** Batches with a cutoff that had not come when they ran. */
const early = ({ store }: ReaperTest) => store.batches.filter(({ cutoff, at: ran }) => cutoff > ran);

describe('[R2, D10] a clock that is set back during a pass', () => {
  it('lets no later batch of the round act on what is not due yet', async () => {
    const test = openReaper({
      c1: { deadlines: due(1, 5), isPaused: true },
      c2: { deadlines: due(3, 5), isPaused: true },
    });
    await test.advance(5 * SECOND);
    setBackAfterFirst(test, 'c2', at(1), at(4));
    for (const key of ['c1', 'c2']) test.store.change(key, { isPaused: false });
    await test.settle();
    expect(test.clock.now()).toBe(at(1));
    expect(test.store.left('c2')).toBe(4);
    await test.advance(3 * SECOND);
    expect(test.store.left('c2')).toBe(3);
    await test.advance(SECOND);
    expect(test.store.left('c2')).toBe(0);
    expect(early(test)).toEqual([]);
  });

  it('lets an open tick act on each document at its deadline', async () => {
    const schedule = { mode: 'every', everyMs: 10 * SECOND } as const;
    const test = openReaper({ c1: { schedule, deadlines: due(8, 6), perBatch: 5, isPaused: true } });
    await test.advance(11 * SECOND);
    setBackAfterFirst(test, 'c1', at(4), at(5));
    test.store.change('c1', { isPaused: false });
    await test.settle();
    expect(test.store.left('c1')).toBe(4);
    await test.advance(SECOND);
    expect(test.store.left('c1')).toBe(3);
    await test.advance(SECOND);
    expect(test.store.left('c1')).toBe(0);
    expect(early(test)).toEqual([]);
  });

  it('ends a pass by hand with what is due then', async () => {
    const test = openReaper({ c1: { isPaused: true, pausedAt: 'store', deadlines: due(8, 5), perBatch: 5 } });
    await test.advance(5 * SECOND);
    setBackAfterFirst(test, 'c1', at(1), at(2));
    expect(await test.reaper.runNow({})).toMatchObject({ removed: 5 });
    expect(test.store.left('c1')).toBe(4);
    expect(early(test)).toEqual([]);
  });
});

describe('[R4] a source that fails', () => {
  it('is retried as early as otherwise after the clock was set back', async () => {
    const { reaper, store, clock, advance } = openReaper({ c1: { deadlines: due(1, 1) } });
    store.failing.set('c1', 'disk');
    await advance(2 * SECOND);
    expect(reaper.status.problem).toMatchObject({ retryAt: at(4) });
    clock.set(at(-3_000));
    store.write('c1', at(-3_001));
    store.failing.clear();
    // At the latest when it wakes to look at the clock, and then after the delay of 2 s.
    clock.advance(30 * SECOND);
    await reaper.whenIdle();
    clock.advance(2 * SECOND);
    await reaper.whenIdle();
    expect(store.left('c1')).toBe(1);
    expect(reaper.status.problem).toBe(null);
  });
});
