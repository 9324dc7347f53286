import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConnectionTest } from '../../../../../shared/contract/connections.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { formatOwner, readOwner } from '../../../files/owner-file.ts';
import { Meta } from '../tables/meta.ts';
import { checkStore, type Database, ofTheFile, openForReading, removeEmptyLog } from './database.ts';
import { isCreationInterrupted } from './interrupted-creation.ts';
import { isOwned, refuseSideName } from './ownership.ts';

/**
 * Returns the result that opening `file` would have. Changes nothing on the disk: creates no file, merges no log, and
 * takes no lock, so it can also read a store that another process has open. Do not call it for a file that this process
 * has open: closing a descriptor releases all POSIX locks of the process on that file.
 */
export function probeStore(file: string): ConnectionTest {
  try {
    refuseSideName(file);
    const found = ofTheFile(file, () => statSync(file, { throwIfNoEntry: false }));
    if (found === undefined) return placeForNew(file);
    return ofTheFile(file, () => inspect(file, found));
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return { is: 'refused', code: error.code, message: error.message };
  }
}

function placeForNew(file: string): ConnectionTest {
  const folder = dirname(file);
  return ofTheFile(file, () => {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) {
      // Refused here: opening would create the missing folders of a mistyped path.
      throw new SandglassError(
        'STORE_UNREADABLE',
        `${file} cannot be created: there is no folder ${folder}.`,
        {
          file,
        },
      );
    }
    accessSync(folder, constants.W_OK | constants.X_OK);
    return { is: 'new' };
  });
}

function inspect(file: string, found: Stats): ConnectionTest {
  if (!found.isFile()) {
    const what = found.isDirectory() ? 'a folder' : 'no ordinary file';
    throw new SandglassError('STORE_UNREADABLE', `${file} cannot be opened: it is ${what}.`, { file });
  }
  // Read-only connections need write permission as well: without it the log that reading creates could not be removed.
  accessSync(file, constants.R_OK | constants.W_OK);
  if (found.size === 0 || isCreationInterrupted(file)) return { is: 'new' };
  const hadLog = existsSync(`${file}-wal`);
  try {
    checkStore(file);
    const db = openForReading(file);
    try {
      return { is: 'store', ...countsOf(db, file), bytes: bytesOf(file), heldBy: holderOf(file) };
    } finally {
      db.close();
    }
  } finally {
    if (!hadLog) removeEmptyLog(file);
  }
}

function countsOf(db: Database, file: string): { collections: number; documents: number } {
  if (new Meta(db).text('replica') !== null) {
    throw new SandglassError(
      'READ_ONLY',
      `${file} mirrors another store and can only be opened with --follow. Connect a copy of the leader instead.`,
      { file },
    );
  }
  const counts = db
    .prepare<[], { collections: number; documents: number }>(
      'SELECT count(*) AS collections, ifnull(sum(documents), 0) AS documents FROM collections',
    )
    .get();
  return counts ?? { collections: 0, documents: 0 };
}

function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function holderOf(file: string): string | null {
  return isOwned(file) ? formatOwner(readOwner(file)) : null;
}
