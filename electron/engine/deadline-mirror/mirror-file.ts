import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { SandglassError } from '../../../shared/model/errors.ts';
import { createPrivate, restrictModes } from '../files/private-file.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import { MIRROR_APPLICATION_ID, MIRROR_MIGRATIONS, migrateMirror } from './mirror-schema.ts';
import { MirrorValues } from './mirror-values.ts';

/** Writing a key visits random pages of three trees; for a million keys, most of these pages fit into this cache. */
const PAGE_CACHE_KIB = 131_072;
/** Pages of 4 KiB in the write-ahead log at which it is copied into the file. */
const CHECKPOINT_PAGES = 8_000;
/** Tables that are copied from a damaged file into a new one: their data cannot be read from the server again. */
const HISTORY = [
  'mirrored_collections',
  'departures',
  'expiry_counts',
  'metric_series',
  'mirror_settings',
  'undoable_jobs',
  'undo_deadlines',
];

/**
 * Opens the file of a mirror for this process alone, and creates it if there is none. A file that is damaged, of a
 * later version or of another program is replaced by a new one with the history that can still be read: all other data
 * is on the server. Throws STORE_IN_USE if another process has it open.
 */
export function openMirrorFile(file: string, log: Logger): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return open(file);
  } catch (error) {
    if (isBusy(error)) throw inUse(file);
    if (!isUnusable(error)) throw error;
    log.warn('the mirror of a connection cannot be used and is created again', {
      file,
      ...errorFields(error),
    });
    return replace(file, log);
  }
}

/** Closes the file, and records that it was closed properly. */
export function closeMirrorFile(db: Database): void {
  new MirrorValues(db).set('isOpen', 0);
  db.close();
}

function open(file: string): Database {
  createPrivate(file);
  restrictModes([`${file}-wal`]);
  const db = new Sqlite(file, { timeout: 0 });
  try {
    // The lock is held until the connection is closed; with it, the log needs no shared memory.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    // A power cut may lose the last commits; the next scan reads their keys again.
    db.pragma('synchronous = NORMAL');
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    db.pragma(`cache_size = -${PAGE_CACHE_KIB}`);
    db.pragma('temp_store = MEMORY');
    checkFormat(db, file);
    migrateMirror(db);
    const values = new MirrorValues(db);
    // The last process did not close the file: the machine or the disk may have failed.
    if (values.get('isOpen') === 1) checkPages(db, file);
    values.set('isOpen', 1);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkFormat(db: Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const application = Number(db.pragma('application_id', { simple: true }));
  if (version > MIRROR_MIGRATIONS.length) throw unusable(file, 'a later version of Sandglass wrote it');
  const isEmpty = db.prepare<[], number>('SELECT count(*) = 0 FROM sqlite_schema').pluck().get() === 1;
  if (!isEmpty && application !== MIRROR_APPLICATION_ID)
    throw unusable(file, 'it is the database of another program');
}

function checkPages(db: Database, file: string): void {
  const found = String(db.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw unusable(file, found);
}

/** Creates a new file in place of an unusable one, copies the history into it, and deletes the unusable one. */
function replace(file: string, log: Logger): Database {
  const former = `${file}-unusable`;
  rmSync(former, { force: true });
  renameSync(file, former);
  for (const suffix of ['-wal', '-journal', '-shm']) {
    const isThere = statSync(file + suffix, { throwIfNoEntry: false }) !== undefined;
    if (isThere) renameSync(file + suffix, former + suffix);
  }
  const db = open(file);
  try {
    takeOverHistory(db, former, log);
  } finally {
    for (const suffix of ['', '-wal', '-journal', '-shm']) rmSync(former + suffix, { force: true });
  }
  return db;
}

function takeOverHistory(db: Database, former: string, log: Logger): void {
  try {
    db.prepare('ATTACH ? AS former').run(former);
  } catch (error) {
    log.warn('the history of a connection cannot be read', { file: former, ...errorFields(error) });
    return;
  }
  try {
    db.transaction(() => {
      for (const table of HISTORY) {
        const columns = db
          .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
          .pluck()
          .all(table)
          .join(', ');
        const isThere = db.prepare('SELECT 1 FROM former.sqlite_schema WHERE name = ?').get(table);
        // An earlier version had fewer tables.
        if (isThere === undefined) continue;
        db.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM former.${table}`);
      }
      // Keys are not copied.
      db.exec('UPDATE mirrored_collections SET keys = 0, bytes = 0');
    })();
  } catch (error) {
    log.warn('the history of a connection cannot be read', { file: former, ...errorFields(error) });
  } finally {
    db.exec('DETACH former');
  }
}

function unusable(file: string, reason: string): SandglassError {
  return new SandglassError('STORE_UNREADABLE', `${file} cannot be used: ${reason}.`, { file, reason });
}

function isUnusable(error: unknown): boolean {
  if (error instanceof SandglassError) return error.code === 'STORE_UNREADABLE';
  return (
    error instanceof Sqlite.SqliteError &&
    (error.code.startsWith('SQLITE_CORRUPT') ||
      error.code === 'SQLITE_NOTADB' ||
      error.code === 'SQLITE_ERROR')
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function inUse(file: string): SandglassError {
  return new SandglassError(
    'STORE_IN_USE',
    `${file} is open in another Sandglass. Use that one, or close it first.`,
    { file },
  );
}
