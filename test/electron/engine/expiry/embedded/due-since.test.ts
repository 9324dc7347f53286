import { describe, expect, it, onTestFinished } from 'vitest';
import { openForWriting } from '../../../../../electron/engine/backends/embedded/file/database.ts';
import { DueSince } from '../../../../../electron/engine/backends/embedded/write/due-since.ts';
import { Writer } from '../../../../../electron/engine/backends/embedded/write/writer.ts';
import { NOON } from '../../../../support/engine.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../../support/temporary.ts';

const record = (at: number) => ({ at, index: 1, deadlineAt: 0 });

/** Makes one change in a transaction that is committed. */
function commit(dueSince: DueSince, change: () => void): void {
  dueSince.begin();
  change();
  dueSince.committed();
}

/** Returns the records of some rows, without removing them. */
function read(dueSince: DueSince, collection: number, rows: readonly number[]): number[] {
  dueSince.begin();
  return rows.map(row => dueSince.take(collection, row));
}

describe('[M1] the instants from which cleared documents are due', () => {
  it('are known once their transaction is committed, and never if it is rolled back', () => {
    const dueSince = new DueSince();
    dueSince.begin();
    dueSince.set(1, 1, record(10));
    expect(read(dueSince, 1, [1])).toEqual([0]);
    commit(dueSince, () => dueSince.set(1, 1, record(20)));
    expect(read(dueSince, 1, [1])).toEqual([20]);
    commit(dueSince, () => dueSince.forget(1, 1));
    expect(read(dueSince, 1, [1])).toEqual([0]);
  });

  it('are the last ones of their transaction', () => {
    const dueSince = new DueSince();
    commit(dueSince, () => {
      dueSince.set(1, 1, record(10));
      dueSince.forget(1, 1);
      dueSince.set(1, 2, record(10));
      dueSince.forget(1, 2);
      dueSince.set(1, 2, record(20));
    });
    expect(read(dueSince, 1, [1, 2])).toEqual([0, 20]);
  });

  it('are kept for so many documents only: the oldest are forgotten first', () => {
    const dueSince = new DueSince(3);
    for (const row of [1, 2, 3, 4]) commit(dueSince, () => dueSince.set(1, row, record(row)));
    commit(dueSince, () => dueSince.set(2, 1, record(5)));
    expect(read(dueSince, 1, [1, 2, 3, 4])).toEqual([0, 0, 3, 4]);
    expect(read(dueSince, 2, [1])).toEqual([5]);
    // A removed one leaves room.
    commit(dueSince, () => dueSince.forget(1, 3));
    commit(dueSince, () => dueSince.set(2, 2, record(6)));
    expect(read(dueSince, 1, [3, 4])).toEqual([0, 4]);
    expect(read(dueSince, 2, [1, 2])).toEqual([5, 6]);
  });

  it('are forgotten with their collection, which leaves room as well', () => {
    const dueSince = new DueSince(2);
    commit(dueSince, () => dueSince.set(1, 1, record(1)));
    commit(dueSince, () => dueSince.set(2, 1, record(2)));
    dueSince.keepOnly(new Set([2]));
    commit(dueSince, () => dueSince.set(2, 2, record(3)));
    expect(read(dueSince, 1, [1])).toEqual([0]);
    expect(read(dueSince, 2, [1, 2])).toEqual([2, 3]);
  });

  it('are forgotten when a collection is gone, and kept if that was refused', () => {
    const writer = new Writer(openForWriting(temporaryStoreFile()), createManualClock(NOON));
    onTestFinished(() => writer.close());
    const { dueSince } = writer;
    writer.transact(transaction => {
      // A record of a collection that is not in the catalog.
      dueSince.set(1, 1, record(10));
      transaction.note({ collection: 'c', kind: 'update', id: 'a' });
    });
    const refused = new Error('refused');
    const change = (work: () => void) =>
      writer.transact(transaction => {
        transaction.changesCatalog = true;
        work();
      });
    expect(() =>
      change(() => {
        writer.reloadDefinitions();
        throw refused;
      }),
    ).toThrow(refused);
    expect(read(dueSince, 1, [1])).toEqual([10]);
    change(() => {});
    expect(read(dueSince, 1, [1])).toEqual([0]);
  });
});
