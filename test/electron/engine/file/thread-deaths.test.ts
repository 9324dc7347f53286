import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

it('a store closes after a thread of it has ended', { timeout: 60_000 }, async () => {
  const file = temporaryStoreFile();
  const deaths: string[] = [];
  const store = openEmbeddedStore({
    file,
    clock: systemClock,
    onThreadDeath: error => deaths.push(error.message),
  });
  store.createCollection('c');
  // The reader thread has opened the file.
  await store.reads.summaries(null, 0);
  // The checkpoint thread, which starts with the first large write, finds no file and ends.
  const documents = Array.from({ length: 400 }, (_, i) => ({ _id: `${i}`, text: 'x'.repeat(24_000) }));
  store.write(
    'c',
    documents.map((value, line) => ({ value, line })),
    { mode: 'insert', atomic: true },
  );
  renameSync(file, `${file}.moved`);
  await expect.poll(() => deaths.length, { timeout: 20_000 }).toBeGreaterThan(0);
  renameSync(`${file}.moved`, file);
  await store.close();
});

it('a read after the reader thread has ended is rejected', { timeout: 60_000 }, async () => {
  const file = temporaryStoreFile();
  const deaths: string[] = [];
  const store = openEmbeddedStore({
    file,
    clock: systemClock,
    onThreadDeath: error => deaths.push(error.message),
  });
  // The thread is still loading: it finds no file.
  renameSync(file, `${file}.moved`);
  await expect.poll(() => deaths.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await expect(store.reads.summaries(null, 0)).rejects.toThrow('unable to open');
  renameSync(`${file}.moved`, file);
  await store.close();
});
