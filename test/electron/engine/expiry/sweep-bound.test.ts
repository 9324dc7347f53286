import { expect, it, onTestFinished } from 'vitest';
import { SweepBound } from '../../../../electron/engine/backends/embedded/expiry/sweep-bound.ts';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { diskBytes } from '../../../../electron/engine/files/file-system-space.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

it('[S1] removed rows may take a quarter of the free space, measured once a second', async () => {
  const file = temporaryStoreFile();
  const store = openEmbeddedStore({ file, clock: systemClock });
  store.createCollection('c');
  const documents = Array.from({ length: 1_000 }, (_, i) => ({
    value: { _id: String(i), text: 'x'.repeat(4_000) },
    line: i,
  }));
  store.write('c', documents, { mode: 'insert', atomic: true });
  await store.close();
  const db = openForWriting(file);
  onTestFinished(() => void db.close());
  const clock = createManualClock(0);
  let unswept = 0;
  const bound = new SweepBound({ db, file, clock, unswept: () => unswept });
  const rows = bound.rows();
  const bytesPerRow = diskBytes(file).free / 4 / rows;
  expect(bytesPerRow).toBeGreaterThan(3_900);
  expect(bytesPerRow).toBeLessThan(6_000);
  unswept = 9_000;
  expect(bound.rows()).toBe(rows);
  clock.advance(1_000);
  // Ten times as many rows take the same bytes.
  expect(bound.rows() / rows).toBeGreaterThan(8);
  // Half of the free space is for the history of an interval.
  const most = Math.floor(2 * bound.rows()) - unswept;
  expect([bound.hasRoomFor(most), bound.hasRoomFor(most + 1)]).toEqual([true, false]);
});
