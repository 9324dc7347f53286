import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { NOON, SECOND } from '../../../support/engine.ts';
import { indexed } from '../../../support/stepped-store.ts';

const KIB = 1024;
const SIZE = 10 * KIB;

/** A store with a thousand restorable copies of 10 KiB each, whose limit is lowered to a tenth of them. */
function withLoweredLimit() {
  const stepped = indexed(null);
  const pad = 'x'.repeat(SIZE);
  const dated = (name: string, count: number, exp: number) =>
    stepped.write(Array.from({ length: count }, (_, i) => ({ _id: `${name}${i}`, exp, pad })));
  dated('old', 1_000, NOON + 1);
  dated('next', 40, NOON + SECOND + 1);
  dated('living', 2, NOON + 9 * SECOND);
  stepped.clock.advance(SECOND);
  stepped.reap();
  stepped.sweep(1_000_000);
  const db = new Sqlite(stepped.file, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const bytes = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'retainedBytes'`).pluck();
  const kept = () => bytes.get() ?? 0;
  expect(kept()).toBeGreaterThan(1_000 * SIZE);
  stepped.store.settings.change({ retentionBytes: 100 * SIZE });
  return { stepped, kept };
}

it('[X4] after the limit of copies was lowered, one delete by hand releases few, and the sweep the rest', async () => {
  const { stepped, kept } = withLoweredLimit();
  const before = kept();
  stepped.store.delete('c', ['living0']);
  expect(kept()).toBeLessThan(before);
  expect(before - kept()).toBeLessThan(300 * KIB);
  stepped.sweep(1_000_000);
  expect(kept()).toBeLessThanOrEqual(100 * SIZE);
  await stepped.store.close();
});

it('[X4] after the limit of copies was lowered, no step of the sweep releases many', async () => {
  const { stepped, kept } = withLoweredLimit();
  stepped.clock.advance(SECOND);
  stepped.reap();
  let most = 0;
  for (let more = true; more; ) {
    const before = kept();
    more = stepped.store.expiry.sweep(0);
    most = Math.max(most, before - kept());
  }
  expect(most).toBeLessThan(2_500 * KIB);
  expect(kept()).toBeLessThanOrEqual(100 * SIZE);
  await stepped.store.close();
});
