import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ReadConnection } from '../../../../electron/engine/backends/embedded/read/read-connection.ts';
import { SnapshotLimit } from '../../../../electron/engine/backends/embedded/read/snapshot-limit.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder, temporaryStoreFile } from '../../../support/temporary.ts';

/** A store's file whose log grows with each `write`, and a second connection that measures the log. */
function loggedFile() {
  const file = join(temporaryFolder(), 's.db');
  const writer = new Sqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  writer.exec('CREATE TABLE t (a)');
  const reader = new Sqlite(file, { readonly: true });
  onTestFinished(() => {
    reader.close();
    writer.close();
  });
  const log = reader.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
  return {
    logPages: () => log.get()?.[1] ?? 0,
    write: () => writer.exec(`INSERT INTO t VALUES (randomblob(40000))`),
    empty: () => writer.pragma('wal_checkpoint(TRUNCATE)'),
  };
}

/** Waits until promises that depend on a fired timer are settled. */
const settled = () => new Promise(resolve => setImmediate(resolve));

describe('the snapshots of scans', () => {
  it('[S1] are ended if long when the log exceeds its bound, and the next one waits for a smaller log', async () => {
    const { logPages, write, empty } = loggedFile();
    const clock = createManualClock(0);
    const limit = new SnapshotLimit(clock, logPages, 30);
    const long = await limit.start('preview', undefined);
    clock.advance(3_000);
    const short = await limit.start('preview', undefined);
    limit.check();
    expect([long.signal.aborted, short.signal.aborted]).toEqual([false, false]);

    while (logPages() < 30) write();
    clock.advance(1_000);
    limit.check();
    expect(long.signal.reason).toMatchObject({ code: 'BUSY' });
    expect(short.signal.aborted).toBe(false);
    let isStarted = false;
    const waiting = limit.start('preview', undefined).then(scan => {
      isStarted = true;
      return scan;
    });
    await settled();
    expect(isStarted).toBe(false);

    clock.advance(1_000);
    await settled();
    expect(short.signal.aborted).toBe(true);
    expect(isStarted).toBe(false);
    empty();
    clock.advance(100);
    expect((await waiting).signal.aborted).toBe(false);
  });

  it('[S1] are refused with BUSY after 4 s with a large log, and at once when their caller cancels', async () => {
    const clock = createManualClock(0);
    const limit = new SnapshotLimit(clock, () => 100, 50);
    const caller = new AbortController();
    const cancelled = limit.start('preview', caller.signal);
    caller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    const refused = expect(limit.start('preview', undefined)).rejects.toMatchObject({ code: 'BUSY' });
    for (let waited = 0; waited < 4_000; waited += 50) {
      clock.advance(50);
      await settled();
    }
    await refused;
  });

  it('[S1] of a page of a list are not ended, and start with a log of up to 1.5 times the bound', async () => {
    let pages = 10;
    const clock = createManualClock(0);
    const limit = new SnapshotLimit(clock, () => pages, 100);
    const page = await limit.start('page', undefined);
    pages = 149;
    clock.advance(5_000);
    limit.check();
    expect(page.signal.aborted).toBe(false);
    expect((await limit.start('page', undefined)).signal.aborted).toBe(false);
    pages = 150;
    let isStarted = false;
    const waiting = limit.start('page', undefined).then(() => {
      isStarted = true;
    });
    await settled();
    expect(isStarted).toBe(false);
    pages = 0;
    clock.advance(100);
    await waiting;
  });

  it('[X3] are also ended by their caller’s signal, but not after they are closed', async () => {
    const caller = new AbortController();
    const clock = createManualClock(0);
    const limit = new SnapshotLimit(clock, () => (clock.elapsed() === 0 ? 0 : 100), 50);
    const one = await limit.start('preview', caller.signal);
    const closed = await limit.start('preview', undefined);
    closed.close();
    clock.advance(10_000);
    limit.check();
    expect(closed.signal.aborted).toBe(false);
    expect(one.signal.aborted).toBe(true);
  });

  it('[S1] keep no page in the log that the file has, so that a large log of an idle store refuses none', async () => {
    const file = temporaryStoreFile();
    const store = openEmbeddedStore({ file, clock: systemClock });
    onTestFinished(() => store.close());
    store.createCollection('c');
    const text = 'x'.repeat(16_000);
    for (let batch = 0; batch < 10; batch++)
      store.write(
        'c',
        Array.from({ length: 64 }, (_, i) => ({ value: { _id: `${batch} ${i}`, text }, line: i })),
        { mode: 'insert', atomic: true },
      );
    const reader = new ReadConnection(file);
    onTestFinished(() => reader.close());
    expect(reader.logPages()).toBeGreaterThan(1_000);
    await vi.waitFor(() => expect(reader.logPages()).toBe(0), { timeout: 10_000, interval: 50 });
  });
});
