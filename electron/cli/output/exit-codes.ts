import { ERROR_STATUS, type ErrorCode, isErrorCode } from '../../../shared/model/errors.ts';

/** Exit codes for scripts, as documented in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** Failed, or done in part. */
  failed: 1,
  /** `policy diff`: the store differs from the policy. Its failures have `wrongUsage`. */
  drift: 1,
  wrongUsage: 2,
  notFound: 3,
  /** The permission is missing, or the store is read-only. */
  refused: 4,
  /** A name in use, an expectation that is not met, a missing confirmation. */
  conflict: 5,
  /** The store cannot be opened or connected to. */
  unreachable: 6,
  /** Ctrl-C. */
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

/** Returns the exit code of a typed error: its own, or that of its HTTP status. */
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
