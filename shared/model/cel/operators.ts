import { makeList, makeText, spend, spendCharacters } from './cost.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind, Duration, equal, hasField, isMap, isNumber, Timestamp } from './values.ts';

export type Binary = (a: unknown, b: unknown) => unknown;

/**
 * CEL's binary operators, except `&&` and `||`, which do not always evaluate their right side. Ints and doubles mix:
 * two ints give an int of any length, everything else a double. Throws EvaluationProblem if an operator has no
 * meaning for the types of its operands.
 */
export const BINARY = {
  '+': (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a + b;
    if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms + b.ms);
    if (a instanceof Duration && b instanceof Timestamp) return new Timestamp(a.ms + b.ms);
    if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms + b.ms);
    if (typeof a === 'string' && typeof b === 'string') {
      makeText(a.length + b.length);
      return a + b;
    }
    if (Array.isArray(a) && Array.isArray(b)) {
      makeList(a.length + b.length);
      return a.concat(b);
    }
    if (typeof a === 'bigint' && typeof b === 'bigint') return a + b;
    const [x, y] = doubles('+', a, b);
    return x + y;
  },
  '-': (a, b) => {
    if (a instanceof Timestamp && b instanceof Timestamp) return new Duration(a.ms - b.ms);
    if (a instanceof Timestamp && b instanceof Duration) return new Timestamp(a.ms - b.ms);
    if (a instanceof Duration && b instanceof Duration) return new Duration(a.ms - b.ms);
    if (typeof a === 'bigint' && typeof b === 'bigint') return a - b;
    const [x, y] = doubles('-', a, b);
    return x - y;
  },
  '*': (a, b) => {
    if (a instanceof Duration && isNumber(b)) return new Duration(a.ms * Number(b));
    if (isNumber(a) && b instanceof Duration) return new Duration(Number(a) * b.ms);
    if (typeof a === 'bigint' && typeof b === 'bigint') return short(a) * short(b);
    const [x, y] = doubles('*', a, b);
    return x * y;
  },
  '/': (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return short(a) / divisor(short(b));
    const [x, y] = doubles('/', a, b);
    return x / y;
  },
  '%': (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return short(a) % divisor(short(b));
    const [x, y] = doubles('%', a, b);
    return x % y;
  },
  '==': equal,
  '!=': (a, b) => !equal(a, b),
  '<': (a, b) => ordered('<', a, b, (x, y) => x < y),
  '<=': (a, b) => ordered('<=', a, b, (x, y) => x <= y),
  '>': (a, b) => ordered('>', a, b, (x, y) => x > y),
  '>=': (a, b) => ordered('>=', a, b, (x, y) => x >= y),
  in: (a, b) => {
    if (Array.isArray(b)) {
      spend(b.length);
      return b.some(item => equal(a, item));
    }
    if (isMap(b)) return typeof a === 'string' && hasField(b, a);
    throw noMeaning('in', a, b);
  },
} satisfies Record<string, Binary>;

export function negative(value: unknown): unknown {
  if (isNumber(value)) return -value;
  if (value instanceof Duration) return new Duration(-value.ms);
  throw new EvaluationProblem(`“-” needs a number after it, not ${aKind(value)}.`);
}

type Comparable = number | bigint | string;

function ordered(
  operator: string,
  a: unknown,
  b: unknown,
  holds: (x: Comparable, y: Comparable) => boolean,
): boolean {
  if (isNumber(a) && isNumber(b)) return holds(a, b);
  if (typeof a === 'string' && typeof b === 'string') {
    spendCharacters(Math.min(a.length, b.length));
    return holds(a, b);
  }
  if (a instanceof Timestamp && b instanceof Timestamp) return holds(a.ms, b.ms);
  if (a instanceof Duration && b instanceof Duration) return holds(a.ms, b.ms);
  if (typeof a === 'boolean' && typeof b === 'boolean') return holds(Number(a), Number(b));
  throw noMeaning(operator, a, b);
}

function doubles(operator: string, a: unknown, b: unknown): [number, number] {
  if (isNumber(a) && isNumber(b)) return [Number(a), Number(b)];
  throw noMeaning(operator, a, b);
}

const LONGEST_FACTOR = 2n ** 1024n;

/** Limits the length of ints, because repeated products would grow without bound. */
function short(a: bigint): bigint {
  if (a > -LONGEST_FACTOR && a < LONGEST_FACTOR) return a;
  throw new EvaluationProblem('A whole number has more than 300 digits, too many to multiply or divide.');
}

function divisor(b: bigint): bigint {
  if (b === 0n) throw new EvaluationProblem('A whole number is divided by zero.');
  return b;
}

function noMeaning(operator: string, a: unknown, b: unknown): EvaluationProblem {
  return new EvaluationProblem(`“${operator}” has no meaning between ${aKind(a)} and ${aKind(b)}.`);
}
