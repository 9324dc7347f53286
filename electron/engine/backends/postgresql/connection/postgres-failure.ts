import { DatabaseError } from 'pg';
import { type ErrorCode, SandglassError } from '../../../../../shared/model/errors.ts';

interface Refusal {
  readonly code: ErrorCode;
  readonly sentence: string;
}

/** Meaning of a SQLSTATE for a caller; a code of two characters is that of its class. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  '28P01': { code: 'PERMISSION_DENIED', sentence: 'The PostgreSQL server refuses this user and password.' },
  '28000': {
    code: 'PERMISSION_DENIED',
    sentence: 'The PostgreSQL server refuses this user, from this address or without TLS.',
  },
  '3D000': { code: 'INVALID_CONNECTION', sentence: 'The server has no such database.' },
  '42501': { code: 'PERMISSION_DENIED', sentence: 'The PostgreSQL user has no privilege for this.' },
  '25006': { code: 'READ_ONLY', sentence: 'The PostgreSQL session is read-only, as on a replica.' },
  '57014': { code: 'BUSY', sentence: 'The statement took longer than its limit, and was cancelled.' },
  '55P03': { code: 'BUSY', sentence: 'Another transaction holds a lock on this.' },
  '40001': { code: 'BUSY', sentence: 'Another transaction changed the same rows.' },
  '40P01': { code: 'BUSY', sentence: 'Two transactions waited for each other, and this one was ended.' },
  '53100': { code: 'DISK_FULL', sentence: 'The disk of the PostgreSQL server is full.' },
  '53200': { code: 'OUT_OF_MEMORY', sentence: 'The PostgreSQL server has too little memory for this.' },
  '53300': { code: 'BUSY', sentence: 'The PostgreSQL server accepts no more connections.' },
  '57P03': { code: 'SERVER_UNREACHABLE', sentence: 'The PostgreSQL server is starting or stopping.' },
  '57P01': { code: 'SERVER_UNREACHABLE', sentence: 'The PostgreSQL server ended the connection.' },
  '57P02': { code: 'SERVER_UNREACHABLE', sentence: 'The PostgreSQL server ended the connection.' },
  '42P01': { code: 'COLLECTION_NOT_FOUND', sentence: 'The table is gone.' },
  '08': { code: 'SERVER_UNREACHABLE', sentence: 'The connection to the PostgreSQL server is lost.' },
  '22': { code: 'INVALID_DOCUMENT', sentence: 'A value does not fit its column.' },
  '23': { code: 'EXPECTATION_FAILED', sentence: 'A constraint of the database refuses this.' },
};

/**
 * Returns the typed error for a failed statement or connection. `data.sqlState` is the server's code; absent if no reply
 * came, so that the statement may or may not have been executed. An error reply that is not expected is returned unchanged.
 */
export function postgresFailure(error: unknown): Error {
  if (error instanceof SandglassError) return error;
  if (error instanceof DatabaseError) return refusal(error);
  if (!(error instanceof Error)) return new Error(String(error));
  if (error.message.includes('client password must be')) {
    return new SandglassError('SECRET_REQUIRED', 'The PostgreSQL server requires a password.');
  }
  if (isWithoutTls(error)) {
    return new SandglassError('INVALID_CONNECTION', 'The PostgreSQL server does not support TLS.', {
      field: 'uri',
    });
  }
  return serverUnreachable(error.message === '' ? codeOf(error) : error.message);
}

/** Whether the server replied that it has no TLS. */
export function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

function refusal(error: DatabaseError): Error {
  const { code = '', message } = error;
  const known = REFUSALS[code] ?? REFUSALS[code.slice(0, 2)];
  if (known === undefined) return error;
  return new SandglassError(known.code, `${known.sentence} It replied: ${message}`, {
    sqlState: code,
    reply: message,
  });
}

/** Errors such as of an address with several results have a code and no message. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function serverUnreachable(detail: string): SandglassError {
  return new SandglassError('SERVER_UNREACHABLE', `The PostgreSQL server cannot be reached: ${detail}.`);
}

export function isUnreachable(error: unknown): error is SandglassError {
  return error instanceof SandglassError && error.code === 'SERVER_UNREACHABLE';
}

/** Returns the server's own words in a failure; else its message. */
export function replyOf(error: Error): string {
  return error instanceof SandglassError && typeof error.data.reply === 'string'
    ? error.data.reply
    : error.message;
}

/** Returns the SQLSTATE of the server's reply; null if none came. */
export function sqlStateOf(error: unknown): string | null {
  if (error instanceof DatabaseError) return error.code ?? null;
  return error instanceof SandglassError && typeof error.data.sqlState === 'string'
    ? error.data.sqlState
    : null;
}
