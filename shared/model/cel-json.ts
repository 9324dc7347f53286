import { isoText } from './cel-functions.ts';
import { EvaluationProblem } from './cel-problem.ts';
import { Duration, isMap, Timestamp } from './cel-values.ts';
import type { JsonValue } from './json.ts';

/**
 * The value of an expression as JSON that shares nothing with the document it came from [A3]: an int that a number holds
 * exactly is a number, a larger one stays bigint, a timestamp is ISO 8601 in UTC, a duration its seconds. Throws
 * EvaluationProblem for what JSON has no way to write.
 */
export function toJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
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
      if (Array.isArray(value)) return value.map(toJson);
      if (value instanceof Timestamp) return isoText(value);
      if (value instanceof Duration) return finite(value.ms / 1000);
      if (!isMap(value)) throw new EvaluationProblem(`A ${typeof value} is no part of a document.`);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]));
  }
}

function finite(number: number): number {
  if (Number.isFinite(number)) return number;
  throw new EvaluationProblem(`A document cannot hold ${number}.`, 'not finite');
}
