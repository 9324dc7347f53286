import { z } from 'zod';
import { ERROR_STATUS, isErrorCode } from '../../../shared/model/errors.ts';

/** Codes of a REST answer beside the contract's, with their status. */
const OF_HTTP: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** Errors of a host that has a defect or a damaged file: no input may lead to one. */
const OF_DEFECTS = [
  'INTERNAL_SERVER_ERROR',
  'STORE_UNREADABLE',
  'STORE_TOO_NEW',
  'CONNECTIONS_UNREADABLE',
  'IO_ERROR',
  'SYNC_FAILED',
  'DISK_FULL',
  'OUT_OF_MEMORY',
  'INVALID_LEADER_DATA',
];

/** Marks of an internal error in a text for a caller: of SQLite, of JavaScript, a stack, a path of the sources. */
const INTERNAL =
  /SQLITE_|SqliteError|node_modules|\n\s+at |\.(ts|mjs|cjs):\d+|\b(Type|Range|Reference)Error\b|is not a function|annot read propert|is not iterable|no such (table|column)|constraint failed|disk image is malformed|malformed database schema|file is not a database|\[object Object\]/;

const failure = z.strictObject({ code: z.string(), message: z.string().min(1), data: z.unknown() });

/** Returns what is wrong with an answer over REST; null: it is a success, or an error of the contract. */
export function problemOfAnswer(status: number, type: string | undefined, text: string): string | null {
  if (status < 400) return null;
  // Requests that Node's parser refuses, and answers to HEAD, have no body.
  if (text === '' && (status === 400 || status === 401 || status === 403 || status === 404 || status === 431))
    return null;
  if (!type?.startsWith('application/json')) return `status ${status} without JSON: ${text.slice(0, 200)}`;
  const read = failure.safeParse(parsed(text));
  if (!read.success) return `status ${status}, not an error of the contract: ${text.slice(0, 200)}`;
  return problemOfError({ status, ...read.data });
}

/** Returns what is wrong with an error; null: it is one of the contract's. */
export function problemOfError(error: { code: string; status: number; message: string }): string | null {
  const { code, status, message } = error;
  const expected = isErrorCode(code) ? ERROR_STATUS[code] : OF_HTTP[code];
  const shown = `${code} (${status}): ${message.slice(0, 300)}`;
  if (expected !== status) return `an error that is not the contract's: ${shown}`;
  if (OF_DEFECTS.includes(code)) return `an error of a defect: ${shown}`;
  return INTERNAL.test(message) ? `internal details: ${shown}` : null;
}

/** Returns what is wrong with a sentence that explains a refusal; null: nothing. */
export function problemOfSentence(text: string): string | null {
  return INTERNAL.test(text) ? `internal details: ${text.slice(0, 300)}` : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
