/**
 * Every error code, with the HTTP status of its REST answer. The contract, the REST host, the command line and the
 * window read this list.
 */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  INVALID_NAME: 400,
  INVALID_DOCUMENT: 400,
  INVALID_EXPIRATION: 400,
  INVALID_TTL_INDEX: 400,
  INVALID_FILE: 400,
  INVALID_FILTER: 400,
  INVALID_SETTING: 400,
  INVALID_CONNECTION: 400,
  UNAUTHORIZED: 401,
  PERMISSION_DENIED: 403,
  COLLECTION_NOT_FOUND: 404,
  DOCUMENT_NOT_FOUND: 404,
  TTL_INDEX_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  EXPIRED_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  CHANGE_NOT_FOUND: 404,
  CONNECTION_NOT_FOUND: 404,
  COLLECTION_EXISTS: 409,
  DOCUMENT_EXISTS: 409,
  TTL_INDEX_EXISTS: 409,
  TOKEN_EXISTS: 409,
  CONNECTION_EXISTS: 409,
  EXPECTATION_FAILED: 409,
  NO_EXPIRATION: 409,
  READ_ONLY: 403,
  REVISION_COMPACTED: 410,
  STORE_BUSY: 503,
  STALE: 503,
  EXPRESSION_TIMEOUT: 503,
  INCOMPATIBLE: 409,
  INVALID_LEADER_DATA: 502,
  CONNECTION_NOT_OPEN: 503,
  BUSY: 503,
  /** The engine of the connection lacks a feature; `data.feature` and the message name it and the reason. */
  NOT_SUPPORTED: 422,
  /** The server needs a password, with which the connection is opened. */
  SECRET_REQUIRED: 409,
  /** The SSH key of the connection needs its passphrase, or another one. */
  PASSPHRASE_REQUIRED: 409,
  /** The SSH server refuses the user or the key. */
  SSH_REFUSED: 403,
  /** The key of the SSH server is not in the file of known hosts. */
  HOST_KEY_UNKNOWN: 409,
  /** The SSH server has another key than the file of known hosts. */
  HOST_KEY_CHANGED: 409,
  /** The server of a remote connection cannot be reached or does not answer. */
  SERVER_UNREACHABLE: 503,
  DOCUMENT_TOO_LARGE: 413,
  STORE_IN_USE: 409,
  STORE_UNREADABLE: 500,
  STORE_TOO_NEW: 500,
  CONNECTIONS_UNREADABLE: 500,
  CANCELLED: 499,
  DISK_FULL: 507,
  /** The disk did not store what was written; writes are refused until the store is copied into a new file. */
  SYNC_FAILED: 503,
  /** The disk failed to read or write a file of the store; nothing was changed. */
  IO_ERROR: 503,
  OUT_OF_MEMORY: 507,
  INTERNAL_SERVER_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

/** An expected failure. The message names the event, its subject and the remedy; `data` holds fields for a program. */
export class SandglassError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'SandglassError';
    this.code = code;
    this.data = data;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
