import { parseDateString } from '../date-string.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../json/json.ts';

/** A double keeps this many digits of any decimal; more would be lost. */
const DIGITS_OF_A_DOUBLE = 15;
/** What a plain `Date` can say. */
const LAST_DATE_MS = 8.64e15;

/**
 * The JSON text of a document that mongoexport wrote, canonical or relaxed Extended JSON, as plain JSON: `$oid` becomes its
 * hex, `$date` an ISO string, the `$number…` numbers with all their digits (a decimal that no double keeps, and NaN,
 * become text). Other `$` types stay as they are. A number as `_id` becomes text. What is no JSON is given back.
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

/** What an object of one `$` member stands for; undefined where it is none, or says nothing we know. */
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

/** Of a string, milliseconds as a number, or milliseconds as `$numberLong`. */
function dateText(inner: JsonValue): JsonValue | undefined {
  const given = isJsonObject(inner) ? wrapped(inner) : inner;
  if (typeof given === 'string') {
    // The old mongoexport writes +0000 for +00:00.
    const at = parseDateString(given.replace(/([+-][0-9]{2})([0-9]{2})$/, '$1:$2'));
    return at === null ? given : new Date(at).toISOString();
  }
  const at = Number(given);
  if (typeof given !== 'number' && typeof given !== 'bigint') return undefined;
  return Math.abs(at) <= LAST_DATE_MS ? new Date(at).toISOString() : undefined;
}

/** True where mongoexport wrote it: some value in it is one of the `$` types that become plain here. */
export function isExtendedJson(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(isExtendedJson);
  if (!isJsonObject(value)) return false;
  return wrapped(value) !== undefined || Object.values(value).some(isExtendedJson);
}
