import { spend, spendCharacters, spendKeys } from './cost.ts';

/**
 * The values of CEL expressions [D8, A3]. JSON values are themselves: a number of a document is a double, a whole number
 * written in an expression an int, kept as bigint. Two kinds are no JSON.
 */

/** A moment, in epoch milliseconds. */
export class Timestamp {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

/** A length of time, in milliseconds; may be negative or a fraction. */
export class Duration {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

export type Kind = 'null' | 'bool' | 'int' | 'double' | 'string' | 'list' | 'map' | 'timestamp' | 'duration';

/** CEL's word for what a value is. */
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

/** The kind of a value in a sentence: `a string`, `an int`. */
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

/** A name that was computed is hashed, all of it, to be looked up. */
export function hasField(map: CelMap, name: string): boolean {
  spendCharacters(name.length);
  return Object.hasOwn(map, name);
}

/** The names of a map's fields. They are paid for after they were gathered, since only then it is known how many there are. */
export function keysOf(map: CelMap): string[] {
  const keys = Object.keys(map);
  spendKeys(keys.length);
  return keys;
}

/** Equality of any two values: ints and doubles by their number, other kinds never equal one another. */
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
