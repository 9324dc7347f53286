import { randomBytes } from 'node:crypto';
import { SandglassError } from '../../../shared/model/errors.ts';
import { errorFields, type Logger } from './logger.ts';

/**
 * Logs an unexpected error with its stack under a new id, and returns the error for the caller: the id, without
 * internals. `what` names the call or the work that failed.
 */
export function defect(log: Logger, what: string, error: unknown): SandglassError {
  const errorId = randomBytes(6).toString('hex');
  log.error(`${what} failed`, { errorId, ...errorFields(error) });
  return new SandglassError(
    'INTERNAL_SERVER_ERROR',
    `${what} failed because of a defect in Sandglass. The details are in its log, under ${errorId}.`,
    { errorId },
  );
}

/**
 * Codes of SQLite and the system for a disk that cannot be read or written, and for a file that was moved, deleted or
 * made read-only under the running engine.
 */
const OF_THE_DISK =
  /^(SQLITE_(IOERR|CANTOPEN|READONLY|FULL|PROTOCOL)(_.*)?|E(IO|NOSPC|DQUOT|ROFS|NOENT|ACCES|PERM|STALE|NXIO|NODEV))$/;

/** Codes of SQLite for damaged pages, which it also reports when reading one of them failed. */
const OF_DAMAGE = /^SQLITE_(CORRUPT(_.*)?|NOTADB)$/;

/**
 * Returns the code of an error of SQLite or the system; '' without one. A stored JSON text that SQLite cannot read is damage of
 * the file, like a page that it cannot: no text that a statement is given is malformed.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return error.code === 'SQLITE_ERROR' && error.message === 'malformed JSON'
    ? 'SQLITE_CORRUPT'
    : String(error.code);
}

/** Whether an error, of whatever library, says that the store's file is damaged. */
export function isOfDamage(error: unknown): boolean {
  return OF_DAMAGE.test(codeOf(error));
}

/**
 * Returns the error for the caller: an expected error unchanged, IO_ERROR for a failed disk, STORE_UNREADABLE for a damaged
 * file, otherwise a defect.
 */
export function errorForCaller(log: Logger, what: string, error: unknown): SandglassError {
  if (error instanceof SandglassError) return error;
  const code = codeOf(error);
  if (isOfDamage(error)) {
    log.error(`${what} failed`, errorFields(error));
    return new SandglassError(
      'STORE_UNREADABLE',
      `${what} failed because the store’s file is damaged or cannot be read (${code}). Check the file and its disk; if the check finds damage, restore a backup or export what can be read.`,
      { reason: code },
    );
  }
  if (!OF_THE_DISK.test(code)) return defect(log, what, error);
  log.error(`${what} failed`, errorFields(error));
  return new SandglassError(
    'IO_ERROR',
    `${what} failed because the disk of the store could not be read or written (${code}). Acknowledged writes are kept. Check the disk and the log of Sandglass, then try again.`,
    { reason: code },
  );
}
