import { parseDateString } from '../dates/date-string.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../json/json.ts';

/** Digits of a decimal that a double always preserves. */
const DIGITS_OF_A_DOUBLE = 15;
/** The largest instant of a `Date`, ms. */
const LAST_DATE_MS = 8.64e15;

/**
 * Returns the JSON text of a document from mongoexport, canonical or relaxed Extended JSON, as plain JSON: `$oid`
 * becomes its hex, `$date` an ISO string, the `$number…` types numbers with all their digits (a decimal that no
 * double represents, and NaN, become text). Other `$` types are unchanged. A number as `_id` becomes text. A text
 * that is not JSON is returned as it is.
 */
export function plainJson(text: string): string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return text;
  }
  if (!isJsonObject(value)) return text;
  const isPlain = !text.includes('"$') && (value._id === undefined || typeof value._id === 'string');
  if (isPlain) return text;
  const plain = plainObject(value);
  const { _id } = plain;
  const id = typeof _id === 'number' || typeof _id === 'bigint' ? { _id: String(_id) } : {};
  return stringifyJson({ ...plain, ...id });
}

function plainObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isJsonObject(value)) return value;
  return wrapped(value) ?? plainObject(value);
}

/** Returns the value of an object with one `$` member; undefined if it is another object or an unknown type. */
function wrapped(object: JsonObject): JsonValue | undefined {
  const [first, second] = Object.entries(object);
  if (first === undefined || second !== undefined) return undefined;
  const [type, inner] = first;
  if (type === '$date') return dateText(inner);
  if (typeof inner !== 'string') return undefined;
  switch (type) {
    case '$oid':
    case '$uuid':
    case '$symbol':
      return inner;
    case '$numberLong':
    case '$numberInt':
      return integer(inner);
    case '$numberDouble':
      return Number.isFinite(Number(inner)) && inner.trim() !== '' ? Number(inner) : inner;
    case '$numberDecimal':
      return decimal(inner);
    default:
      return undefined;
  }
}

function integer(text: string): JsonValue {
  if (!/^-?[0-9]+$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

function decimal(text: string): JsonValue {
  const digits = text.replace(/[eE].*$/, '').replaceAll(/^-?0*|\./g, '');
  const value = Number(text);
  const isKept = text.trim() !== '' && Number.isFinite(value) && digits.length <= DIGITS_OF_A_DOUBLE;
  return isKept ? value : text;
}

/** Reads a string, milliseconds as a number, or milliseconds as `$numberLong`. */
function dateText(inner: JsonValue): JsonValue | undefined {
  const given = isJsonObject(inner) ? wrapped(inner) : inner;
  if (typeof given === 'string') {
    // Old versions of mongoexport write +0000 instead of +00:00.
    const at = parseDateString(given.replace(/([+-][0-9]{2})([0-9]{2})$/, '$1:$2'));
    return at === null ? given : new Date(at).toISOString();
  }
  const at = Number(given);
  if (typeof given !== 'number' && typeof given !== 'bigint') return undefined;
  return Math.abs(at) <= LAST_DATE_MS ? new Date(at).toISOString() : undefined;
}

/** Returns whether a document is from mongoexport: it contains one of the `$` types that are converted here. */
export function isExtendedJson(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isExtendedJson);
  if (!isJsonObject(value)) return false;
  return wrapped(value) !== undefined || Object.values(value).some(isExtendedJson);
}
