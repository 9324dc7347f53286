import { ERROR_STATUS, type ErrorCode, isErrorCode } from '../../../shared/model/errors.ts';

/** What a script can tell from how a command ended; docs/command-line.md says the same. */
export const EXIT = {
  done: 0,
  /** Something could not be done, or not all of it. */
  failed: 1,
  wrongUsage: 2,
  notFound: 3,
  /** The permission is lacking, or the store takes no writes. */
  refused: 4,
  /** The world is not as it was expected: an expectation, a name that is taken, a confirmation that is missing. */
  conflict: 5,
  /** The store is in use by what cannot be spoken to, away, or cannot be opened. */
  unreachable: 6,
  /** By Ctrl-C. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_CODE: Partial<Record<ErrorCode, ExitCode>> = {
  EXPECTATION_FAILED: EXIT.conflict,
  NO_EXPIRATION: EXIT.conflict,
  REVISION_COMPACTED: EXIT.conflict,
  INVALID_FILE: EXIT.failed,
  INVALID_DOCUMENT: EXIT.failed,
  STORE_IN_USE: EXIT.unreachable,
  STORE_UNREADABLE: EXIT.unreachable,
  STORE_TOO_NEW: EXIT.unreachable,
  STALE: EXIT.unreachable,
  CONNECTION_NOT_OPEN: EXIT.unreachable,
  CANCELLED: EXIT.failed,
};

/** A typed error's exit code: its own, or that of its kind. */
export function exitCodeOf(code: string): ExitCode {
  if (code === 'SERVICE_UNAVAILABLE') return EXIT.unreachable;
  if (!isErrorCode(code)) return EXIT.failed;
  const own = BY_CODE[code];
  if (own !== undefined) return own;
  switch (ERROR_STATUS[code]) {
    case 400:
      return EXIT.wrongUsage;
    case 401:
    case 403:
      return EXIT.refused;
    case 404:
      return EXIT.notFound;
    case 409:
      return EXIT.conflict;
    default:
      return EXIT.failed;
  }
}
