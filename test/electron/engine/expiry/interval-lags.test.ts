import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueLater } from '../../../../electron/engine/backends/embedded/expiry/interval-lags.ts';
import { newPass } from '../../../../electron/engine/expiry/passes.ts';
import { HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const MANY = 1_500;
const REAPED_AFTER = SECOND;

function many(name: string, exp: number, documents = MANY): object[] {
  return Array.from({ length: documents }, (_, i) => ({ _id: `${name}${i}`, exp }));
}

/** Removes what is due by the index; returns how many documents have which lag, in ms. */
function lagsOf({ store: { expiry }, clock }: Stepped): ReadonlyMap<number, number> {
  const now = clock.now();
  const source = expiry.sources().find(({ index }) => index === 'ttl');
  if (source === undefined) throw new Error('there is no index');
  const pass = newPass({ id: expiry.nextPassId(), collection: 'c', trigger: 'manual', at: now });
  const limits = {
    cutoff: now,
    budgetMs: () => 1_000,
    maxDocuments: Number.POSITIVE_INFINITY,
    isLast: true,
  };
  const lags = new Map<number, number>();
  while (expiry.due(source, now) > 0) {
    const { lagsMs, lagGroups } = expiry.reap(source, limits, pass);
    for (const { lagMs, documents } of [
      ...(lagGroups ?? []),
      ...lagsMs.map(lagMs => ({ lagMs, documents: 1 })),
    ])
      lags.set(lagMs, (lags.get(lagMs) ?? 0) + documents);
  }
  return lags;
}

describe.each([null, 1])(
  '[M1] the lag of documents that were due when they were written (at once from %s)',
  from => {
    it('counts from that write', async () => {
      const stepped = indexed(from);
      stepped.clock.advance(10 * HOUR);
      stepped.write(many('old', NOON + HOUR));
      stepped.clock.advance(REAPED_AFTER);
      expect([...lagsOf(stepped)]).toEqual([[REAPED_AFTER, MANY]]);
      await stepped.store.close();
    });

    it('is not that of other documents, before or after them', async () => {
      const stepped = indexed(from);
      const { clock } = stepped;
      stepped.write(many('paused', NOON + HOUR, 40));
      clock.advance(10 * HOUR);
      stepped.write(many('arrived', NOON, 30));
      clock.advance(REAPED_AFTER);
      const longest = 9 * HOUR + REAPED_AFTER;
      const lags = lagsOf(stepped);
      expect(lags.get(REAPED_AFTER)).toBe(30);
      expect([...lags.keys()].filter(lag => lag > longest - HOUR)).toHaveLength(1);
      clock.advance(HOUR);
      stepped.write(many('timely', clock.now() + SECOND, 20));
      clock.advance(2 * SECOND);
      const [[later = 0, documents = 0] = []] = lagsOf(stepped);
      expect(documents).toBe(20);
      expect(later).toBeLessThanOrEqual(2 * SECOND);
      await stepped.store.close();
    });

    it('is not remembered from a write that was refused', async () => {
      const stepped = indexed(from);
      const { clock, store } = stepped;
      stepped.write(many('due', NOON + HOUR, 20));
      const refused = () =>
        store.write(
          'c',
          [...many('refused', NOON, 20), 'bad'].map((value, i) => ({ value, line: i + 1 })),
          { mode: 'upsert', atomic: true },
        );
      expect(refused).toThrow();
      clock.advance(2 * HOUR);
      const [[lag = 0] = []] = lagsOf(stepped);
      expect(lag).toBeGreaterThan(HOUR - 60 * SECOND);
      await store.close();
    });
  },
);

it('[M1] the lag of a late document whose expiration was cleared stays its own while others are put back', async () => {
  const stepped = indexed(1);
  const { store, clock } = stepped;
  stepped.write([{ _id: 'a', exp: NOON }]);
  stepped.reap();
  stepped.write([{ _id: 'late', exp: NOON - HOUR }]);
  store.setExpiration('c', ['late'], { never: true });
  clock.advance(10 * HOUR);
  stepped.write(many('earlier', NOON - 2 * HOUR, 200));
  clock.advance(5 * SECOND);
  store.setExpiration('c', ['late'], null);
  stepped.sweepIntoLate(0);
  clock.advance(2 * SECOND);
  const lags = lagsOf(stepped);
  expect(lags.get(2 * SECOND)).toBe(1);
  expect(Math.max(...lags.keys())).toBe(7 * SECOND);
  await store.close();
});

describe('[M1] own lags of some documents of an interval', () => {
  const groups = fc.array(fc.record({ documents: fc.nat(5), lagMs: fc.nat(20) }), { maxLength: 6 });
  const expanded = (some: readonly { documents: number; lagMs: number }[]) =>
    some.flatMap(({ documents, lagMs }) => Array.from({ length: documents }, () => lagMs));

  it('replace each the longest lag that is left, if that is longer', () => {
    fc.assert(
      fc.property(groups, groups, (given, later) => {
        const lags = expanded(given).sort((a, b) => b - a);
        const own: number[] = [];
        for (const lag of expanded(later)) {
          if ((lags[0] ?? 0) <= lag) continue;
          lags.shift();
          own.push(lag);
        }
        const found = expanded(dueLater(given, later)).sort((a, b) => a - b);
        expect(found).toEqual([...lags, ...own].sort((a, b) => a - b));
      }),
    );
  });

  it('are given to fifty thousand in one pass over the others', () => {
    let read = 0;
    const others = Array.from({ length: 250 }, (_, i) => ({
      get documents() {
        read += 1;
        return 1_000;
      },
      lagMs: 10_000 + i,
    }));
    const later = Array.from({ length: 50_000 }, () => ({ documents: 1, lagMs: 5 }));
    expect(dueLater(others, later)).toContainEqual({ documents: 50_000, lagMs: 5 });
    expect(read).toBeLessThan(200_000);
  });
});
