import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { readHead } from '../../../files/file-head.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';

/** First bytes of a rollback journal that is to be rolled back. */
const JOURNAL = Buffer.from('d9d505f920a163d7', 'hex');
const HEAD_BYTES = 28;
/** Offsets in the journal's header, bytes: pages that the file had before, and the size of a page. */
const PAGES_BEFORE_AT = 16;
const PAGE_BYTES_AT = 24;

/**
 * Whether a power cut or a kill stopped the creation of a store: its first transaction, the only one with a rollback
 * journal, writes one page into an empty file.
 */
export function isCreationInterrupted(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const journal = sidecarFile(file, '-journal');
  if (size === undefined || statSync(journal, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const head = readHead(journal, HEAD_BYTES);
  return (
    head.length === HEAD_BYTES &&
    head.subarray(0, JOURNAL.length).equals(JOURNAL) &&
    head.readUInt32BE(PAGES_BEFORE_AT) === 0 &&
    size <= head.readUInt32BE(PAGE_BYTES_AT)
  );
}

/** Rolls back an interrupted creation: the file is empty afterwards, and has no journal. */
export function rollBackCreation(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true, timeout: 5_000 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    db.close();
  }
}
