import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import {
  type EmbeddedStore,
  openEmbeddedStore,
} from '../../../../electron/engine/backends/embedded/store.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const MIB = 1024 * 1024;
/** Returns a batch of one megabyte. */
const batch = (number: number) =>
  Array.from({ length: 64 }, (_, i) => ({
    value: { _id: `${number} ${i}`, text: 'x'.repeat(16_000) },
    line: i + 1,
  }));

async function documentsOf({ reads }: EmbeddedStore): Promise<number | undefined> {
  const [summary] = await reads.summaries(['c'], systemClock.now());
  return summary?.documents;
}

function opened(file = temporaryStoreFile()) {
  const store = openEmbeddedStore({ file, clock: systemClock });
  store.createCollection('c');
  const write = (number: number) => store.write('c', batch(number), { mode: 'insert', atomic: true });
  const logBytes = () => statSync(`${file}-wal`).size;
  return { file, store, write, logBytes, documents: () => documentsOf(store) };
}

describe('a committed write', () => {
  it('[V2] is copied into the file completely during long work, so that the log stays small', async () => {
    const { file, store, write, logBytes, documents } = opened();
    for (let number = 0; number < 100; number += 1) {
      write(number);
      await new Promise(resolve => setImmediate(resolve));
      await store.caughtUp();
    }
    expect(logBytes()).toBeLessThan(64 * MIB);
    expect(statSync(file).size).toBeGreaterThan(60 * MIB);
    expect(await documents()).toBe(100 * 64);
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const again = openEmbeddedStore({ file, clock: systemClock });
    expect(await documentsOf(again)).toBe(100 * 64);
    await again.close();
  });

  it('[V2] is copied by the writer if calls fill the log faster than the thread copies', async () => {
    const { store, write, logBytes, documents } = opened();
    // In one turn of the event loop, so that no message of the thread arrives.
    for (let number = 0; number < 260; number += 1) write(number);
    expect(logBytes()).toBeLessThan(200 * MIB);
    expect(await documents()).toBe(260 * 64);
    await store.close();
  });

  it('[V2] leaves a log that is bounded also under calls without a pause', async () => {
    const { store, write, logBytes, documents } = opened();
    for (let number = 0; number < 260; number += 1) {
      write(number);
      await new Promise(resolve => setImmediate(resolve));
    }
    expect(logBytes()).toBeLessThan(160 * MIB);
    expect(await documents()).toBe(260 * 64);
    await store.close();
  });

  it('[V2] stays in the log while an earlier state is read, which delays no write', async () => {
    const { file, store, write, logBytes, documents } = opened();
    write(0);
    const reader = new Sqlite(file, { readonly: true });
    reader.exec('BEGIN');
    const seen = () => reader.prepare('SELECT count(*) FROM documents_1').pluck().get();
    expect(seen()).toBe(64);
    for (let number = 1; number < 60; number += 1) {
      write(number);
      await new Promise(resolve => setImmediate(resolve));
      await store.caughtUp();
    }
    expect(seen()).toBe(64);
    expect(logBytes()).toBeGreaterThan(50 * MIB);
    reader.exec('COMMIT');
    reader.close();
    for (let number = 60; number < 70; number += 1) {
      write(number);
      await new Promise(resolve => setTimeout(resolve, 20));
      await store.caughtUp();
    }
    const bytes = logBytes();
    for (let number = 70; number < 90; number += 1) write(number);
    // The log is written from its beginning again.
    expect(logBytes()).toBe(bytes);
    expect(await documents()).toBe(90 * 64);
    await store.close();
  });

  it('[V2] is copied after the reader of an earlier state has ended, although nothing is written', async () => {
    const { file, store, write } = opened();
    write(0);
    const reader = new Sqlite(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM documents_1').get();
    for (let number = 1; number < 10; number += 1) {
      write(number);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    const left = () => {
      const [, pages, copied] = watcher
        .prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)')
        .raw()
        .get() ?? [0, 0, 0];
      return pages - copied;
    };
    const watcher = new Sqlite(file, { readonly: true });
    expect(left()).toBeGreaterThan(1_000);
    reader.exec('COMMIT');
    reader.close();
    await vi.waitFor(() => expect(left()).toBe(0), { timeout: 10_000, interval: 50 });
    watcher.close();
    await store.close();
  });
});

describe.runIf(runsHere('the log on a small disk', NO_SMALL_DISK))('the log on a small disk', () => {
  it('[S1] takes at most an eighth of the free space, even during continuous calls', async () => {
    const disk = smallDisk(96 * MIB);
    const { store, logBytes, documents } = opened(join(disk.folder, 's.sandglass'));
    // In one turn of the event loop, as above: 150 MiB of log, of the same few documents.
    for (let number = 0; number < 150; number += 1)
      store.write('c', batch(number % 4), { mode: 'upsert', atomic: true });
    expect(logBytes()).toBeLessThan(16 * MIB);
    expect(await documents()).toBe(4 * 64);
    await store.close();
  });
});
