import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import { diskFull, isOutOfSpace } from '../../../files/file-system-space.ts';
import { createPrivate, restrictModes } from '../../../files/private-file.ts';
import { isFailedSync, syncFailed } from '../../../files/sync-error.ts';
import { synced } from '../../../files/sync-to-disk.ts';
import { systemClock } from '../../../platform/clock.ts';
import { codeOf, isOfDamage } from '../../../platform/defect.ts';
import { recoverFromFailedSync } from './copy-after-failed-sync.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';
import { refuseForeignSidecarFiles } from './foreign-sidecar-files.ts';
import { isCreationInterrupted, rollBackCreation } from './interrupted-creation.ts';
import { APPLICATION_ID, MIGRATIONS, migrate, userVersion } from './migrate.ts';
import { writeSyncMark } from './sync-mark.ts';

export type { Database, Statement } from 'better-sqlite3';

const MIB = 1024 * 1024;
const PAGE_CACHE_MIB = 64;
/** Space that opening a store may need, bytes: the log, its index, and one or two pages. */
const OPENING_BYTES = MIB;
/** SQLite's largest memory map, bytes. */
const MOST_MAPPED = 2 ** 31 - 65_536;

/**
 * Opens the store's one writing connection and creates the file if there is none.
 * Throws STORE_UNREADABLE for a file that is no Sandglass store or cannot be opened, STORE_TOO_NEW for one that a later
 * version wrote; both leave the file unchanged. Throws SYNC_FAILED if the disk fails to store it: before the next opening
 * the store is copied into new files [S5].
 */
export function openForWriting(file: string, mustExist = false): Database {
  return ofTheFile(file, () => {
    recoverFromFailedSync(file);
    refuseMissing(file, mustExist);
    try {
      return open(file);
    } catch (error) {
      if (!isFailedSync(error)) throw error;
      writeSyncMark(file, { at: systemClock.now(), revision: 0, log: null, isCopied: false });
      throw syncFailed(file, { isInDoubt: false, problem: null });
    }
  });
}

/**
 * Opens a store on a connection that cannot write, in place of the writer's: no byte of the store changes. Throws like
 * `openForWriting`, STORE_UNREADABLE also if there is no file, and READ_ONLY if the file would first have to be
 * migrated to today's format.
 */
export function openWithoutWriting(file: string): Database {
  return ofTheFile(file, () => {
    if (!existsSync(file)) {
      throw new SandglassError(
        'STORE_UNREADABLE',
        `There is no store at ${file}, and a read-only connection creates none.`,
        { file },
      );
    }
    refuseForeignSidecarFiles(file);
    const version = checkStore(file);
    if (version < MIGRATIONS.length) {
      removeEmptyLog(file);
      throw new SandglassError(
        'READ_ONLY',
        `${file} was written by an earlier version of Sandglass (format ${version}) and has to be brought to format ${MIGRATIONS.length}, which a read-only connection does not do. Open it once without read-only (where Sandglass is started on it: “readOnly” in ${file}-connections).`,
        { file, version },
      );
    }
    const db = openForReading(file);
    if (!hasOutdatedIndexes(db)) return db;
    db.close();
    removeEmptyLog(file);
    throw new SandglassError(
      'READ_ONLY',
      `TTL indexes of ${file} were built by another version of Sandglass and have to be rebuilt, which a read-only connection does not do. Open it once without read-only.`,
      { file },
    );
  });
}

/** Whether any index has to be renewed (index-renewal.ts). */
function hasOutdatedIndexes(db: Database): boolean {
  const outdated = db.prepare<[number], number>(
    `SELECT 1 FROM ttl_indexes AS i JOIN collections AS c ON c.id = i.collection
     WHERE i.dropped_at IS NULL AND i.rules <> ? LIMIT 1`,
  );
  return outdated.get(READING_RULES_VERSION) !== undefined;
}

/**
 * Checks that the file is a store that this version can open, or empty, without changing it. Returns its format. Throws
 * STORE_UNREADABLE, STORE_TOO_NEW.
 */
export function checkStore(file: string): number {
  refuseWhatIsNoDatabase(file);
  try {
    return refuseForeignOrNewer(file);
  } catch (error) {
    removeEmptyLog(file);
    throw error;
  }
}

/**
 * Runs a step that needs a file. Throws STORE_UNREADABLE, with the reason, if the step fails because of the file or its
 * permissions, and DISK_FULL if there is no space.
 */
export function ofTheFile<Result>(file: string, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (isOutOfSpace(error, file)) throw diskFull(file, OPENING_BYTES);
    throw isOfTheFile(error) ? unreadable(file, error) : error;
  }
}

/**
 * Removes the empty log that a connection that cannot write leaves behind. A connection that can write removes it when
 * it closes, under SQLite's own locks.
 */
export function removeEmptyLog(file: string): void {
  if (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size !== 0) return;
  try {
    const db = new Sqlite(file, { fileMustExist: true, timeout: 0 });
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
    } finally {
      db.close();
    }
  } catch {
    // Another process has opened the store by now, and uses the log.
  }
}

/**
 * Throws STORE_UNREADABLE instead of creating an empty store in the place of one that was moved away: SQLite would delete
 * the log with acknowledged changes, and what is written from then on would be in another file once it is back [S5].
 */
function refuseMissing(file: string, mustExist: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.size > 0) return;
  const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (!mustExist && logBytes === 0) return;
  const why = mustExist
    ? 'It was open until now: put the file back, or close and open the store to begin with an empty one.'
    : `Its log ${basename(file)}-wal is there, with changes that only the log has: put the file back, or move the log away to begin with an empty store.`;
  throw new SandglassError('STORE_UNREADABLE', `${file} was moved or deleted. ${why}`, { file });
}

function open(file: string): Database {
  refuseForeignSidecarFiles(file);
  if (isCreationInterrupted(file)) rollBackCreation(file);
  const isNew = !existsSync(file);
  const version = isNew ? 0 : checkStore(file);
  createPrivate(file);
  // Its name is durable before its log has one: a log alone is that of a store which was moved away.
  if (isNew) synced(dirname(file));
  restrictModes([`${file}-wal`, `${file}-shm`]);
  const db = new Sqlite(file, { timeout: 5_000 });
  try {
    db.pragma('journal_mode = WAL');
    // A write is acknowledged only once it is on the disk.
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${PAGE_CACHE_MIB * 1024}`);
    // Due documents lie at random places of the file: reading them through the system's cache costs less than half.
    db.pragma(`mmap_size = ${MOST_MAPPED}`);
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
    // Setting it writes, even the same value.
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      db.pragma(`application_id = ${APPLICATION_ID}`);
    // An empty file has format 0.
    if (version > 0 && version < MIGRATIONS.length) copyBeforeMigration(db, file, MIGRATIONS.length);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a connection that cannot write, for a store the writer has already opened. */
export function openForReading(file: string): Database {
  const db = new Sqlite(file, { readonly: true, timeout: 5_000 });
  db.pragma(`cache_size = -${PAGE_CACHE_MIB * 1024}`);
  db.pragma('temp_store = MEMORY');
  db.pragma(`mmap_size = ${256 * MIB}`);
  return db;
}

/** Whether the file or its permissions caused the error, and not a defect of Sandglass. */
function isOfTheFile(error: unknown): boolean {
  // The error of a system call has its name.
  return codeOf(error).startsWith('SQLITE_') || (error instanceof Error && 'syscall' in error);
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its disk cannot be written',
};

/** Reasons by the beginning of SQLite's code, whose own text is for programmers. */
const SQLITE_REASONS = [
  ['SQLITE_CORRUPT', 'it is damaged'],
  ['SQLITE_NOTADB', 'it is damaged, or not a database'],
  ['SQLITE_IOERR', 'its disk cannot be read or written'],
  ['SQLITE_FULL', 'its disk is full'],
  ['SQLITE_CANTOPEN', 'the system does not open it'],
  ['SQLITE_READONLY', 'it cannot be written'],
  ['SQLITE_BUSY', 'another program uses it'],
  ['SQLITE_PROTOCOL', 'another program uses it'],
  ['SQLITE_NOMEM', 'there is too little memory'],
  ['SQLITE_', 'SQLite cannot use it'],
] as const;

/** Returns the error for a `path` (the store or a file beside it) that cannot be used. */
function unreadable(path: string, error: unknown): SandglassError {
  const code = codeOf(error);
  const [, ofSqlite] = SQLITE_REASONS.find(([beginning]) => code.startsWith(beginning)) ?? [];
  const reason = REASONS[code] ?? ofSqlite ?? (error instanceof Error ? error.message : String(error));
  // The lock is the only file beside a store that is a database.
  const remedy =
    isOfDamage(error) && !path.endsWith('-lock')
      ? ' Restore a backup, or save what can be read into a new store (sandglass recover).'
      : '';
  return new SandglassError(
    'STORE_UNREADABLE',
    `${path} cannot be opened: ${reason}${reason.includes(code) ? '' : ` (${code})`}.${remedy}`,
    { file: path, reason: code },
  );
}

function refuseWhatIsNoDatabase(file: string): void {
  const head = Buffer.alloc(16);
  const handle = openSync(file, 'r');
  let read: number;
  try {
    read = readSync(handle, head, 0, 16, 0);
  } finally {
    closeSync(handle);
  }
  if (read > 0 && head.toString('latin1') !== 'SQLite format 3\0') {
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${file} is not a Sandglass store. To import its documents, open a store and import the file.`,
      { file },
    );
  }
}

/** Uses a connection that cannot write: closing one that can would merge the log that another program left. */
function refuseForeignOrNewer(file: string): number {
  const db = new Sqlite(file, { readonly: true, timeout: 5_000 });
  let version: number;
  let application: number;
  let empty: boolean;
  try {
    version = userVersion(db);
    application = Number(db.pragma('application_id', { simple: true }));
    empty = db.prepare('SELECT count(*) = 0 FROM sqlite_schema').pluck().get() === 1;
  } finally {
    db.close();
  }
  if (!empty && application !== APPLICATION_ID) {
    throw new SandglassError('STORE_UNREADABLE', `${file} is another program's database, left untouched.`, {
      file,
    });
  }
  if (version > MIGRATIONS.length) {
    throw new SandglassError(
      'STORE_TOO_NEW',
      `${file} was written by a later version of Sandglass (format ${version}; this one reads up to ${MIGRATIONS.length}). It was left untouched: open it with that version.`,
      { file, version },
    );
  }
  return version;
}
