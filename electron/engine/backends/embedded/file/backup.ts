import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import Sqlite from 'better-sqlite3';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { diskBytes, diskFull, isOutOfSpace } from '../../../files/file-system-space.ts';
import { createPrivate } from '../../../files/private-file.ts';
import { sidecarMessage, storeOfSidecar } from '../../../files/sidecar-files.ts';
import { synced } from '../../../files/sync-to-disk.ts';
import type { BackupResult } from '../../backend.ts';
import { deleteEarlierTokens } from '../tables/earlier-tokens.ts';
import { FollowersTable } from '../tables/followers.ts';
import { Meta } from '../tables/meta.ts';
import { type Database, openForReading } from './database.ts';

/** 1 MiB. Cancelling is checked between two steps. */
const PAGES_A_STEP = 256;

export interface BackupOrder {
  /** Path of the store, which is in use. */
  store: string;
  /** Path of the backup; must not exist. */
  file: string;
  /** Epoch ms. */
  at: number;
}

/** Contents by which a copy is compared with its store. */
type Counts = readonly (readonly [table: string, rows: number])[];

/**
 * Throws INVALID_FILE for a name that no backup can be written to, EXPECTATION_FAILED for one that exists. Only the
 * first message contains the folder: a job shows the others to everyone with read permission. `known` are paths of
 * stores that may be absent at the moment.
 */
export function checkBackupFile(file: string, known: readonly string[] = []): void {
  if (!isAbsolute(file))
    throw invalid(
      file,
      `${file} is not a full path. Give the path on the store’s machine, from the root on.`,
    );
  const store = storeOfSidecar(file, known);
  if (store !== undefined) throw invalid(file, sidecarMessage(file, store));
  if (existsSync(file)) throw taken(file);
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalid(file, `The folder for ${basename(file)} does not exist.`);
}

/**
 * Writes a consistent copy of a store in use: one snapshot, held open on its own connection, so that a write neither
 * restarts the copy nor gets into it. The copy gets the name `file` only after it was verified; until then, and if it
 * is cancelled or fails, `file` does not exist. The copy is marked as a backup, so that opening it holds due documents
 * [B1, R9].
 *
 * Throws DISK_FULL if the disk has no room for it.
 *
 * Until the copy is done, the store's write-ahead log cannot be emptied and grows with every write.
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
    // Checked first: the copy must not take space that the store itself needs.
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

/** Marks the copy as a backup. Throws STORE_UNREADABLE if it differs from the snapshot. */
function verify(partial: string, counts: Counts, restoredFrom: string): void {
  const copy = new Sqlite(partial);
  try {
    const meta = new Meta(copy);
    meta.set('restoredFrom', restoredFrom);
    // Both stores change independently from here on: no follower of one may mistake the other for its leader [V5].
    meta.set('storeId', randomUUID());
    new FollowersTable(copy).deleteAll();
    // Earlier versions kept tokens in the store; `secure_delete` overwrites the deleted rows [B1].
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

/** Renames the copy without replacing a file, even one that was created meanwhile. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(file);
    // Some file systems have no hard links.
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
    `There is a file ${basename(file)} already. A backup overwrites no file: choose another name.`,
    { file },
  );
}

function damaged(reason: string): SandglassError {
  return new SandglassError(
    'STORE_UNREADABLE',
    `The backup was read back and is damaged (${reason}), so it was not kept. Check the disk and try again.`,
    { reason },
  );
}
