import { SandglassError } from '../../../../../shared/model/errors.ts';
import {
  DEEPEST_NESTING,
  hasNonFinite,
  hasProtoKey,
  isJsonObject,
  isPlainJson,
  isTooDeep,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../../../shared/model/json/json.ts';
import { idProblem, LARGEST_DOCUMENT_BYTES } from '../../../../../shared/model/names.ts';
import { type StoredBody, storedBody } from '../tables/documents/stored-json.ts';
import { newId } from './new-id.ts';

/** A checked document, ready to be written [C1]. */
export interface IncomingDocument {
  id: string;
  /** JSON text including `_id`, with the digits as given. */
  body: StoredBody;
  bytes: number;
  /** `body` as it will be read back. Deadlines are computed from it, so that their entries are found again. */
  value: unknown;
}

export interface IncomingOptions {
  /** Field that becomes `_id` if a document has none. */
  idField?: string | undefined;
  /** Time of a generated UUIDv7, epoch ms. */
  now: number;
}

/** Checks JSON text as a document. Throws INVALID_DOCUMENT or DOCUMENT_TOO_LARGE with the reason. */
export function documentFromText(text: string, options: IncomingOptions): IncomingDocument {
  // A character takes at least one byte, so such a text is refused without parsing.
  if (text.length > LARGEST_DOCUMENT_BYTES) throw tooLarge('It', text.length);
  // Lone surrogates cannot be stored, so they are replaced before the size is measured.
  const whole = text.toWellFormed().trim();
  if (isTooDeep(whole)) throw tooNested();
  const read = readText(whole);
  if (isJsonObject(read) && isPlainJson(read)) return withId(read, whole, options);
  // Parsed as it will be read back, so that the deadline's entry is found again to the last digit.
  const value = parseJson(whole);
  if (!isJsonObject(value)) throw notAnObject(value);
  if (hasNonFinite(value)) throw tooLargeANumber();
  refuseProtoKey(whole, value);
  return withId(value, whole, options);
}

function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SandglassError('INVALID_DOCUMENT', `Not JSON: ${syntaxProblem(error)}`);
  }
}

/** Returns the parser's message with line and column; column only for text of one line. */
function syntaxProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(
    / in JSON at position \d+ \(line (\d+) column (\d+)\)$/,
    (_all, line: string, column: string) =>
      line === '1' ? ` at column ${column}` : ` at line ${line}, column ${column}`,
  );
}

function tooLargeANumber(): SandglassError {
  return new SandglassError('INVALID_DOCUMENT', 'It contains a number that JSON cannot represent.');
}

/** Checks a value that is JSON already; bigint keeps its digits. */
export function documentFromValue(value: unknown, options: IncomingOptions): IncomingDocument {
  if (!isJsonObject(value)) throw notAnObject(value);
  if (isPlainJson(value)) return withId(value, JSON.stringify(value), options);
  if (hasNonFinite(value)) throw tooLargeANumber();
  const text = stringifyJson(value);
  if (isTooDeep(text)) throw tooNested();
  // A value from a port may hold types that JSON writes differently, such as Date: deadlines are computed from the
  // stored JSON.
  const kept = parseJson(text);
  if (!isJsonObject(kept)) throw notAnObject(kept);
  refuseProtoKey(text, kept);
  return withId(kept, text, options);
}

function refuseProtoKey(text: string, value: unknown): void {
  if (hasProtoKey(text, value)) {
    throw new SandglassError('INVALID_DOCUMENT', 'It has a key named __proto__, which cannot be stored.');
  }
}

function withId(value: JsonObject, text: string, { idField, now }: IncomingOptions): IncomingDocument {
  let body = text;
  let id: unknown = value._id;
  const isGiven = id !== undefined;
  if (!isGiven) {
    id = idField === undefined ? newId(now) : fromField(value, idField);
    // The text itself is stored, so that 1.50 stays 1.50.
    const rest = text.slice(1).trimStart();
    body = `{"_id":${JSON.stringify(id)}${rest.startsWith('}') ? '' : ','}${rest}`;
  }
  const problem = idProblem(id);
  if (problem !== null || typeof id !== 'string') {
    throw new SandglassError('INVALID_DOCUMENT', problem ?? '_id is a string.');
  }
  const bytes = Buffer.byteLength(body);
  if (bytes > LARGEST_DOCUMENT_BYTES) throw tooLarge(id, bytes);
  return { id, body: storedBody(body), bytes, value: isGiven ? value : { _id: id, ...value } };
}

function tooNested(): SandglassError {
  return new SandglassError(
    'INVALID_DOCUMENT',
    `Its objects and arrays are nested deeper than ${DEEPEST_NESTING} levels.`,
  );
}

function fromField(value: JsonObject, field: string): unknown {
  const found = value[field];
  if (found === undefined || found === null) {
    throw new SandglassError(
      'INVALID_DOCUMENT',
      `It has neither _id nor ${field}, the field chosen to be its _id.`,
    );
  }
  return typeof found === 'number' || typeof found === 'bigint' ? String(found) : found;
}

function tooLarge(what: string, bytes: number): SandglassError {
  return new SandglassError('DOCUMENT_TOO_LARGE', `${what} is ${bytes} bytes of JSON; the most is 16 MiB.`, {
    bytes,
  });
}

function notAnObject(value: unknown): SandglassError {
  const what = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return new SandglassError('INVALID_DOCUMENT', `A document is a JSON object; this is ${what}.`);
}
