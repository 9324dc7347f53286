import type { JsonValue } from '../json/json.ts';
import { makeList, makeMap, makeText, spend } from './cost.ts';
import { isoText } from './functions.ts';
import { EvaluationProblem } from './problem.ts';
import { type CelMap, Duration, isMap, keysOf, Timestamp } from './values.ts';

/**
 * Returns the value of an expression as JSON that shares nothing with the document [A3]: an int that a number
 * represents exactly is a number, a larger one stays bigint, a timestamp is ISO 8601 in UTC, a duration its seconds.
 * Throws EvaluationProblem for a value that JSON cannot represent. Each value and text is charged to the allowance,
 * because a short expression can repeat one part a million times.
 */
export function toJson(value: unknown): JsonValue {
  spend(1);
  switch (typeof value) {
    case 'string':
      makeText(value.length);
      return value;
    case 'boolean':
      return value;
    case 'number':
      return finite(value);
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    default:
      if (value === null) return null;
      if (Array.isArray(value)) {
        makeList(value.length);
        return value.map(toJson);
      }
      if (value instanceof Timestamp) return isoText(value);
      if (value instanceof Duration) return finite(value.ms / 1000);
      if (!isMap(value)) throw new EvaluationProblem(`A document cannot contain a ${typeof value}.`);
      return mapToJson(value);
  }
}

function mapToJson(map: CelMap): JsonValue {
  const names = keysOf(map);
  makeMap(names.length);
  for (const name of names) makeText(name.length);
  return Object.fromEntries(names.map(name => [name, toJson(map[name])]));
}

function finite(number: number): number {
  if (Number.isFinite(number)) return number;
  throw new EvaluationProblem(`A document cannot hold ${number}.`, 'not finite');
}
