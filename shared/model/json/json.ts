/**
 * JSON whose integers are never rounded [C1]: one beyond 2^53 is a bigint in memory and the same digits in text.
 */
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

// TypeScript's library does not know these two yet; every runtime we run on (Node 22.14, Chromium 114) does.
const rawJson: RawJson = JSON as unknown as RawJson;
const sourceAware: SourceAwareParse = JSON as unknown as SourceAwareParse;

const LONG_NUMBER = /[0-9]{16}/;
const INTEGER = /^-?[0-9]+$/;

/**
 * Parses JSON text. Integers beyond 2^53 become bigint, and those of 309 digits and more, which take long to read, are
 * infinite as JSON.parse has them. Throws SyntaxError as JSON.parse does.
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

/** The JSON text of a value; bigint is written as a plain integer. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    // Asking about each value takes twice as long, and hardly any document holds a bigint.
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

/** Deeper than any document people write, and far from where programs that walk one fall over. */
export const DEEPEST_NESTING = 500;

/** True where objects and arrays lie in one another deeper than that. Looks at the text, so that no depth is too deep for it. */
export function isTooDeep(text: string): boolean {
  // Each level takes two characters at least.
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
 * True where reading the text of `value` gives that value again and no document is refused for what is in it: plain
 * objects and lists, text, truth values, null, and numbers that JSON keeps. Nearly every document is so, and to know it
 * takes a tenth of the time of reading its text. False says nothing yet.
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
    if (key === '__proto__' || !isPlainJson(value[key], levelsLeft - 1)) return false;
  }
  return true;
}

/** True also of what is no JSON inside; of no date, and of nothing else that a class has made. */
function hasPlainPrototype(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** True where some number of `value` is NaN or infinite, as `1e400` is once it was read: JSON has no way to write it. */
export function hasNonFinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (Array.isArray(value)) return value.some(hasNonFinite);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNonFinite);
}

/** The name, or any letter of it written with an escape: only `\u` can write one of `_`, `o`, `p`, `r` and `t`. */
const MAYBE_PROTO = /__proto__|\\u00(?:5f|6f|7[024])/i;

/**
 * True where some object of `value`, which was parsed from `text`, has a key named `__proto__`. JavaScript gives that
 * name a meaning, and what carries values between processes leaves it out: a document with it is refused, so that
 * nothing is lost unsaid [C1].
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
