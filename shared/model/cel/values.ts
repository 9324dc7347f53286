import { spend, spendCharacters, spendKeys } from './cost.ts';

/**
 * The values of CEL expressions [D8, A3]. JSON values represent themselves: a number of a document is a double; a whole
 * number in an expression is an int, represented as bigint. Two types have no JSON form.
 */

/** An instant, epoch ms. */
export class Timestamp {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

/** A duration, ms; may be negative or fractional. */
export class Duration {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

export type Kind = 'null' | 'bool' | 'int' | 'double' | 'string' | 'list' | 'map' | 'timestamp' | 'duration';

/** Returns CEL's name of the type of a value. */
export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'double';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      if (value === null || value === undefined) return 'null';
      if (Array.isArray(value)) return 'list';
      if (value instanceof Timestamp) return 'timestamp';
      return value instanceof Duration ? 'duration' : 'map';
  }
}

/** Returns the type of a value with its article: `a string`, `an int`. */
export function aKind(value: unknown): string {
  return withArticle(kindOf(value));
}

export function withArticle(kind: string): string {
  return `${kind === 'int' ? 'an' : 'a'} ${kind}`;
}

export type CelMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is CelMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Timestamp) &&
    !(value instanceof Duration)
  );
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Charges the hashing of a computed name. */
export function hasField(map: CelMap, name: string): boolean {
  spendCharacters(name.length);
  return Object.hasOwn(map, name);
}

/** Returns the field names of a map. They are charged afterwards, because their number is unknown before. */
export function keysOf(map: CelMap): string[] {
  const keys = Object.keys(map);
  spendKeys(keys.length);
  return keys;
}

/**
 * Returns whether two values are equal: ints and doubles by their number; values of other types are never equal to a
 * value of another type.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spendCharacters(a.length);
  if (a === b) return true;
  if (isNumber(a)) return isNumber(b) && a <= b && a >= b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.ms === b.ms;
  if (a instanceof Duration) return b instanceof Duration && a.ms === b.ms;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    spend(1 + a.length);
    return a.every((item, i) => equal(item, b[i]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const keys = keysOf(a);
  return (
    keys.length === keysOf(b).length && keys.every(key => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}
