import { describe, expect, it } from 'vitest';
import { NOON, SECOND } from '../../../../support/engine.ts';
import { openReaper, type ReaperTest } from './memory-expiry-store.ts';

const DUE = NOON + 5 * SECOND;
const due = (documents: number) => Array<number>(documents).fill(DUE);

async function untilDue({ clock, settle }: ReaperTest): Promise<void> {
  clock.advance(5 * SECOND);
  await settle();
}

/** Lets `ms` pass after the first batch, as calls, other batches or a machine that stands still take. */
function standStillAfterFirst({ store, clock }: ReaperTest, ms: number): void {
  let hasStood = false;
  store.afterBatch = () => {
    if (hasStood) return;
    hasStood = true;
    clock.suspend(ms);
  };
}

describe('[R3] a round that takes long', () => {
  it('begins no pass within the second after one that ended at its cap', async () => {
    const test = openReaper({ c1: { deadlines: due(1) }, c2: { deadlines: due(6) } });
    const { store } = test;
    store.current = { ...store.current, mostPerPass: 2 };
    standStillAfterFirst(test, 30 * SECOND);
    await untilDue(test);
    expect(test.clock.now()).toBe(DUE + 30 * SECOND);
    expect(store.left('c2')).toBe(4);
    await test.advance(SECOND - 1);
    expect(store.left('c2')).toBe(4);
    await test.advance(1);
    expect(store.left('c2')).toBe(2);
  });

  it('lets the other indexes of the collection wait as long', async () => {
    const test = openReaper({
      c1: { deadlines: due(1) },
      'c2/a': { deadlines: due(2) },
      'c2/b': { deadlines: due(2) },
    });
    const { store } = test;
    store.current = { ...store.current, mostPerPass: 2 };
    standStillAfterFirst(test, SECOND / 2);
    await untilDue(test);
    expect(store.left('c2/a')).toBe(0);
    await test.advance(SECOND - 1);
    expect(store.left('c2/b')).toBe(2);
    await test.advance(1);
    expect(store.left('c2/b')).toBe(0);
  });

  it('[R2] acts on nothing that became due after its begin', async () => {
    const test = openReaper({ c1: { deadlines: due(1) }, c2: { deadlines: [DUE, DUE + SECOND] } });
    const { store } = test;
    standStillAfterFirst(test, 2 * SECOND);
    await untilDue(test);
    expect(store.batches.map(({ key, cutoff }) => [key, cutoff])).toEqual([
      ['c1', DUE],
      ['c2', DUE],
      ['c2', DUE + 2 * SECOND],
    ]);
  });
});
