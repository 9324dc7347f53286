import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SnapshotLimit } from '../../../../electron/engine/backends/embedded/read/snapshot-limit.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

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

describe('the snapshots of scans', () => {
  it('[S1] are ended, long ones only, when the log outgrows its bound, and none is opened until it is emptied', () => {
    const { logPages, write, empty } = loggedFile();
    let now = 0;
    const limit = new SnapshotLimit({ elapsed: () => now }, logPages, 30);
    const long = limit.start(undefined);
    now = 3_000;
    const short = limit.start(undefined);
    limit.check();
    expect([long.signal.aborted, short.signal.aborted]).toEqual([false, false]);

    while (logPages() < 30) write();
    now += 1_000;
    limit.check();
    expect(long.signal.reason).toMatchObject({ code: 'BUSY' });
    expect(short.signal.aborted).toBe(false);
    expect(() => limit.start(undefined)).toThrow(expect.objectContaining({ code: 'BUSY' }));

    now += 1_000;
    limit.check();
    expect(short.signal.aborted).toBe(true);
    empty();
    expect(limit.start(undefined).signal.aborted).toBe(false);
  });

  it('[X3] are also ended by their caller’s signal, and no longer once they are closed', () => {
    const caller = new AbortController();
    let now = 0;
    const limit = new SnapshotLimit({ elapsed: () => now }, () => (now === 0 ? 0 : 100), 50);
    const one = limit.start(caller.signal);
    const closed = limit.start(undefined);
    closed.close();
    now = 10_000;
    limit.check();
    expect(closed.signal.aborted).toBe(false);
    expect(one.signal.aborted).toBe(true);
  });
});
