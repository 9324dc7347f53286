import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { diskBytes, diskFull, isOutOfSpace } from '../../../files/disk.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { sideNameMessage, storeOfSideName } from '../../../files/side-names.ts';
import type { BackupResult } from '../../backend.ts';
import { deleteEarlierTokens } from '../tables/earlier-tokens.ts';
import { FollowersTable } from '../tables/followers.ts';
import { Meta } from '../tables/meta.ts';
import { type Database, openForReading } from './database.ts';
import { synced } from './synced.ts';

/** 1 MiB: between two steps a cancel is noticed. */
const PAGES_A_STEP = 256;

export interface BackupOrder {
  /** The store, which is open and goes on being written. */
  store: string;
  /** Where the backup goes; nothing may be there. */
  file: string;
  /** Epoch ms. */
  at: number;
}

/** Contents by which a copy is compared with its store. */
type Counts = readonly (readonly [table: string, rows: number])[];

/**
 * Refusals after the first name files without their folders: a job tells them to everybody who may read.
 *
 * `known` are stores that may not be there. Throws INVALID_FILE for a name that no backup can be written to, EXPECTATION_FAILED for one that is taken.
 */
export function checkBackupFile(file: string, known: readonly string[] = []): void {
  if (!isAbsolute(file))
    throw invalid(
      file,
      `${file} is not a whole path. Say where on the store’s machine it is to be, from the root on.`,
    );
  const store = storeOfSideName(file, known);
  if (store !== undefined) throw invalid(file, sideNameMessage(file, store));
  if (existsSync(file)) throw taken(file);
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalid(file, `The folder for ${basename(file)} does not exist.`);
}

/**
 * Writes a consistent copy of a store that goes on being written: one snapshot, held open on a connection of its own,
 * so that no write begins the copy anew or gets into it. It takes the name `file` only when it was read back and found
 * whole; until then, and if it is cancelled or fails, nothing is there. The copy says that it is one, so that opening
 * it holds what is due [B1, R9].
 *
 * Throws DISK_FULL where its disk has no room for it.
 *
 * Until it is done, the store's write-ahead log cannot be emptied, and grows by what is written meanwhile.
 */
export async function writeBackup(
  { store, file, at }: BackupOrder,
  onProgress: (done: number, total: number) => void,
): Promise<BackupResult> {
  checkBackupFile(file);
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    return await written();
  } catch (error) {
    throw isOutOfSpace(error, partial) ? diskFull(file, statSync(store).size) : error;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${partial}${suffix}`, { force: true });
  }

  async function written(): Promise<BackupResult> {
    createPrivate(partial);
    const counts = await copySnapshot(store, partial, onProgress);
    verify(partial, counts, JSON.stringify({ file: store, at }));
    synced(partial);
    giveName(partial, file);
    synced(dirname(file));
    const documents = counts.reduce(
      (sum, [table, rows]) => sum + (table.startsWith('documents_') ? rows : 0),
      0,
    );
    return { bytes: statSync(file).size, documents };
  }
}

async function copySnapshot(
  store: string,
  partial: string,
  onProgress: (done: number, total: number) => void,
): Promise<Counts> {
  const source = openForReading(store);
  try {
    source.exec('BEGIN');
    // The first read takes the snapshot.
    const counts = countsOf(source);
    const pageSize = Number(source.pragma('page_size', { simple: true }));
    const bytes = pageSize * Number(source.pragma('page_count', { simple: true }));
    // Before it takes the room that the store itself needs.
    if (diskBytes(partial).free < bytes) throw diskFull(partial, bytes);
    await source.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress((totalPages - remainingPages) * pageSize, totalPages * pageSize);
        return PAGES_A_STEP;
      },
    });
    return counts;
  } finally {
    source.close();
  }
}

/** Throws STORE_UNREADABLE where the copy is not what was copied. */
function verify(partial: string, counts: Counts, restoredFrom: string): void {
  const copy = new Sqlite(partial);
  try {
    const meta = new Meta(copy);
    meta.set('restoredFrom', restoredFrom);
    // It goes another way from here on: no follower of the one may take the other for it [V5].
    meta.set('storeId', randomUUID());
    new FollowersTable(copy).deleteAll();
    // Earlier versions kept them in the store; what a deleted row held is overwritten [B1].
    copy.pragma('secure_delete = ON');
    deleteEarlierTokens(copy);
    const integrity = String(copy.pragma('integrity_check', { simple: true }));
    if (integrity !== 'ok') throw damaged(integrity);
    if (JSON.stringify(countsOf(copy)) !== JSON.stringify(counts))
      throw damaged('it does not hold as many documents as the store did');
  } finally {
    copy.close();
  }
}

/** Rows of every table that holds documents or definitions. */
function countsOf(db: Database): Counts {
  const tables = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table'
         AND (name GLOB 'documents_[0-9]*' OR name GLOB 'keys_[0-9]*' OR name IN ('collections', 'ttl_indexes', 'removals'))
       ORDER BY name`,
    )
    .pluck()
    .all();
  return tables.map(table => [
    table,
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
  ]);
}

/** Never over what is there, also when it came there meanwhile. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file);
    // Some file systems have no links.
    if (existsSync(file)) throw taken(file);
    renameSync(partial, file);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function invalid(file: string, message: string): SandglassError {
  return new SandglassError('INVALID_FILE', message, { file });
}

function taken(file: string): SandglassError {
  return new SandglassError(
    'EXPECTATION_FAILED',
    `There is a file ${basename(file)} already. A backup writes over nothing: choose another name.`,
    { file },
  );
}

function damaged(reason: string): SandglassError {
  return new SandglassError(
    'STORE_UNREADABLE',
    `The backup was read back and is not whole (${reason}), so it was not kept. Look at the disk, and try again.`,
    { reason },
  );
}
