import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../model/errors.ts';

const fields = z.record(z.string(), z.unknown()).optional();

function declare<Code extends ErrorCode>(
  code: Code,
): { status: (typeof ERROR_STATUS)[Code]; data: typeof fields } {
  return { status: ERROR_STATUS[code], data: fields };
}

/** The typed errors that any call may return; `data` holds fields for a program. */
export const CONTRACT_ERRORS = {
  BAD_REQUEST: declare('BAD_REQUEST'),
  INVALID_NAME: declare('INVALID_NAME'),
  INVALID_DOCUMENT: declare('INVALID_DOCUMENT'),
  INVALID_EXPIRATION: declare('INVALID_EXPIRATION'),
  INVALID_TTL_INDEX: declare('INVALID_TTL_INDEX'),
  INVALID_FILE: declare('INVALID_FILE'),
  INVALID_FILTER: declare('INVALID_FILTER'),
  PERMISSION_DENIED: declare('PERMISSION_DENIED'),
  COLLECTION_NOT_FOUND: declare('COLLECTION_NOT_FOUND'),
  DOCUMENT_NOT_FOUND: declare('DOCUMENT_NOT_FOUND'),
  TTL_INDEX_NOT_FOUND: declare('TTL_INDEX_NOT_FOUND'),
  JOB_NOT_FOUND: declare('JOB_NOT_FOUND'),
  COLLECTION_EXISTS: declare('COLLECTION_EXISTS'),
  DOCUMENT_EXISTS: declare('DOCUMENT_EXISTS'),
  TTL_INDEX_EXISTS: declare('TTL_INDEX_EXISTS'),
  EXPECTATION_FAILED: declare('EXPECTATION_FAILED'),
  DOCUMENT_TOO_LARGE: declare('DOCUMENT_TOO_LARGE'),
  CANCELLED: declare('CANCELLED'),
  BUSY: declare('BUSY'),
  INVALID_SETTING: declare('INVALID_SETTING'),
  EXPIRED_NOT_FOUND: declare('EXPIRED_NOT_FOUND'),
  TOKEN_NOT_FOUND: declare('TOKEN_NOT_FOUND'),
  CHANGE_NOT_FOUND: declare('CHANGE_NOT_FOUND'),
  TOKEN_EXISTS: declare('TOKEN_EXISTS'),
  NO_EXPIRATION: declare('NO_EXPIRATION'),
  READ_ONLY: declare('READ_ONLY'),
  REVISION_COMPACTED: declare('REVISION_COMPACTED'),
  STORE_BUSY: declare('STORE_BUSY'),
  STALE: declare('STALE'),
  EXPRESSION_TIMEOUT: declare('EXPRESSION_TIMEOUT'),
  INCOMPATIBLE: declare('INCOMPATIBLE'),
  INVALID_LEADER_DATA: declare('INVALID_LEADER_DATA'),
  STORE_UNREADABLE: declare('STORE_UNREADABLE'),
  STORE_IN_USE: declare('STORE_IN_USE'),
  STORE_TOO_NEW: declare('STORE_TOO_NEW'),
  INVALID_CONNECTION: declare('INVALID_CONNECTION'),
  CONNECTION_NOT_FOUND: declare('CONNECTION_NOT_FOUND'),
  CONNECTION_EXISTS: declare('CONNECTION_EXISTS'),
  CONNECTION_NOT_OPEN: declare('CONNECTION_NOT_OPEN'),
  CONNECTIONS_UNREADABLE: declare('CONNECTIONS_UNREADABLE'),
  DISK_FULL: declare('DISK_FULL'),
  SYNC_FAILED: declare('SYNC_FAILED'),
  IO_ERROR: declare('IO_ERROR'),
  OUT_OF_MEMORY: declare('OUT_OF_MEMORY'),
} as const;
