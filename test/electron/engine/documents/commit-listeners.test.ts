import { describe, expect, it, onTestFinished } from 'vitest';
import { openForWriting } from '../../../../electron/engine/backends/embedded/file/database.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { Writer } from '../../../../electron/engine/backends/embedded/write/writer.ts';
import { NOON, openTestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const defect = new Error('a defect of a listener');
function fail(): never {
  throw defect;
}

describe('a commit whose listeners fail', () => {
  it('[V2] succeeds and calls the other listeners, and the error is reported', async () => {
    const errors: unknown[] = [];
    const store = openEmbeddedStore({
      file: temporaryStoreFile(),
      clock: createManualClock(NOON),
      reads: 'inline',
      onListenerError: error => errors.push(error),
    });
    onTestFinished(() => store.close());
    store.createCollection('c');
    const reported: number[] = [];
    store.onCommit(fail);
    store.onCommit(({ revision }) => reported.push(revision));
    const before = store.revision;
    expect(store.put('c', 'a', { n: 1 })).toMatchObject({ created: true });
    expect(store.put('c', 'a', { n: 2 })).toMatchObject({ created: false });
    expect(reported).toEqual([before + 1, before + 2]);
    expect(store.revision).toBe(before + 2);
    expect(errors).toEqual([defect, defect]);
  });

  it('[V2] succeeds even if the callback after each commit fails, as a checkpoint does on a full disk', () => {
    const errors: unknown[] = [];
    const file = temporaryStoreFile();
    const writer = new Writer(openForWriting(file), createManualClock(NOON), {
      onWritten: fail,
      onListenerError: error => errors.push(error),
    });
    onTestFinished(() => writer.close());
    const { revision } = writer;
    const reported: number[] = [];
    writer.onCommit(commit => reported.push(commit.revision));
    writer.transact(transaction => {
      transaction.changesCatalog = true;
    });
    expect(writer.revision).toBe(revision + 1);
    expect(reported).toEqual([revision + 1]);
    // The same for maintenance: its transaction is committed and its result is returned.
    expect(writer.maintain(() => 'done')).toBe('done');
    expect(errors).toEqual([defect, defect]);
  });

  it('[V2] returns success to the caller, and the error is logged', async () => {
    const { client, engine, complaints } = openTestEngine();
    await client.collections.create({ name: 'c' });
    const stop = engine.backend.onCommit(fail);
    const answer = await client.documents.put({
      params: { collection: 'c', id: 'a' },
      body: { n: 1 },
    });
    stop();
    expect(answer).toMatchObject({ created: true });
    expect(complaints.join('')).toContain(defect.message);
  });
});
