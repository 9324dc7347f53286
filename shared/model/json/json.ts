/** JSON with exact integers [C1]: an integer beyond 2^53 is a bigint in memory and has the same digits in text. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

interface RawJson {
  rawJSON(text: string): unknown;
}
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;
interface SourceAwareParse {
  parse(text: string, reviver: SourceReviver): unknown;
}

// TypeScript's library lacks these two; all supported runtimes (Node 22.14, Chromium 114) have them.
const rawJson: RawJson = JSON as unknown as RawJson;
const sourceAware: SourceAwareParse = JSON as unknown as SourceAwareParse;

const LONG_NUMBER = /[0-9]{16}/;
const INTEGER = /^-?[0-9]+$/;

/**
 * Parses JSON text. Integers beyond 2^53 become bigint. Integers of 309 digits and more become infinite as in
 * JSON.parse, because they are slow to read. Throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return sourceAware.parse(text, (_key, value, { source }) =>
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    INTEGER.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Returns the JSON text of a value; bigint is written as a plain integer. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    // A replacer takes twice as long, and hardly any document contains a bigint.
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(
    value,
    (_key, item) => (typeof item === 'bigint' ? rawJson.rawJSON(String(item)) : item),
    indent,
  );
}

/** Most nested levels: deeper than documents in practice, and far below the depth at which recursive programs fail. */
export const DEEPEST_NESTING = 500;

/**
 * Returns whether objects and arrays are nested deeper than `DEEPEST_NESTING`. Reads the text without recursion, so
 * that any depth is safe.
 */
export function isTooDeep(text: string): boolean {
  // Each level takes at least two characters.
  if (text.length <= 2 * DEEPEST_NESTING) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (inString) {
      if (unit === 0x5c) i += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > DEEPEST_NESTING) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}

/**
 * Returns true if parsing the text of `value` gives an equal value, and no document with that value is refused: plain
 * objects and arrays, text, booleans, null, and numbers that JSON represents. True for nearly every document, in a
 * tenth of the time of parsing its text. False means unknown.
 */
export function isPlainJson(value: unknown, levelsLeft = DEEPEST_NESTING): value is JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') {
    // A larger integer is read as a bigint, and −0 as 0.
    return Number.isInteger(value)
      ? Number.isSafeInteger(value) && !Object.is(value, -0)
      : Number.isFinite(value);
  }
  if (typeof value !== 'object' || levelsLeft === 0) return false;
  if (Array.isArray(value)) {
    for (const member of value) if (!isPlainJson(member, levelsLeft - 1)) return false;
    return true;
  }
  if (!hasPlainPrototype(value)) return false;
  for (const key in value) {
    if (key === '__proto__') return false;
    const member = value[key];
    // Most members are texts: a call for each would be most of the time.
    if (typeof member !== 'string' && !isPlainJson(member, levelsLeft - 1)) return false;
  }
  return true;
}

/** Returns false for dates and all other instances of classes; the members are not checked. */
function hasPlainPrototype(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Returns whether `value` contains NaN or an infinite number, as `1e400` becomes when read: JSON cannot represent
 * them.
 */
export function hasNonFinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some(hasNonFinite);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNonFinite);
}

/** The name `__proto__`, also with escaped letters: only `\u` can escape one of `_`, `o`, `p`, `r` and `t`. */
const MAYBE_PROTO = /__proto__|\\u00(?:5f|6f|7[024])/i;

/**
 * Returns whether an object of `value`, parsed from `text`, has the key `__proto__`. JavaScript treats that name
 * specially, and structured cloning drops it. Such a document is refused, so that no field is lost silently [C1].
 */
export function hasProtoKey(text: string, value: unknown): boolean {
  return MAYBE_PROTO.test(text) && holdsProtoKey(value);
}

function holdsProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsProtoKey);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
