import { checkExpression, environmentOf } from '../cel/check.ts';
import { compileWhole } from '../cel/compile.ts';
import { OutOfTime, READING_ALLOWANCE, spendCharacters } from '../cel/cost.ts';
import type { Dialect } from '../cel/dialect.ts';
import { fieldsRead } from '../cel/fields-read.ts';
import { EvaluationProblem, mistakeIn } from '../cel/problem.ts';
import type { Evaluate } from '../cel/scope.ts';
import { kindOf, Timestamp, withArticle } from '../cel/values.ts';
import { LAST_INSTANT, type NeverReason, type ReferenceTime, readReferenceTime } from '../reference-time.ts';

/** A compiled expression index [D8]. */
export interface DeadlineExpression {
  readonly text: string;
  /** Paths of the fields that the expression reads, in the order of its text. */
  readonly fields: readonly (readonly string[])[];
  /**
   * Returns the deadline of a document written at `updatedAtMs` (epoch ms), or the reason why it has none. Throws only
   * OutOfTime.
   */
  read(document: unknown, updatedAtMs: number): ReferenceTime;
  /** Returns the error for this document, for a person [X1]; null if there is none. Throws only OutOfTime. */
  problem(document: unknown, updatedAtMs: number): string | null;
}

const DIALECT: Dialect = {
  variables: { doc: 'dyn', updatedAt: 'google.protobuf.Timestamp' },
  functions: {},
  absent: {
    now: '“now” is not available: a deadline never moves by itself. Count from updatedAt or from a field.',
  },
};
const ENVIRONMENT = environmentOf(DIALECT);
const NAMES = Object.keys(DIALECT.variables);

/** Types that are never a timestamp. Duration is absent, because the checker returns it for duration + timestamp. */
const NEVER_A_DEADLINE = /^(bool|type|bytes|uint|list|map)/;

/**
 * Compiles a deadline expression over `doc` and `updatedAt` [D8]. Its value is a timestamp, a date string [D3], a
 * number of seconds since 1970 [D4], or null for no deadline. Throws INVALID_TTL_INDEX with `{ expression, line,
 * column }`, from 1, for an invalid expression.
 */
export function compileDeadlineExpression(text: string): DeadlineExpression {
  const { root, type } = checkExpression(ENVIRONMENT, DIALECT, text);
  if (NEVER_A_DEADLINE.test(type)) {
    throw mistakeIn(
      text,
      root.start,
      `This gives ${withArticle(type)}; a deadline is a timestamp, or null for none.`,
    );
  }
  const scope = { text, names: NAMES, functions: DIALECT.functions };
  const evaluate = compileWhole(root, scope, READING_ALLOWANCE);
  return {
    text,
    fields: fieldsRead(root),
    read: (document, updatedAtMs) => {
      const outcome = outcomeOf(evaluate, document, updatedAtMs);
      return 'at' in outcome ? outcome : { reason: outcome.reason };
    },
    problem: (document, updatedAtMs) => {
      const outcome = outcomeOf(evaluate, document, updatedAtMs);
      return 'at' in outcome ? null : outcome.problem;
    },
  };
}

type Outcome = { at: number } | { reason: NeverReason; problem: string | null };

function outcomeOf(evaluate: Evaluate, document: unknown, updatedAtMs: number): Outcome {
  try {
    return outcomeOfValue(evaluate([document, new Timestamp(updatedAtMs)]));
  } catch (error) {
    if (error instanceof OutOfTime) throw error;
    if (error instanceof EvaluationProblem) return { reason: error.reason, problem: error.message };
    // Any other error of one document, such as a string that is too long, must not stop the others [D5].
    return { reason: 'expression error', problem: error instanceof Error ? error.message : String(error) };
  }
}

function outcomeOfValue(value: unknown): Outcome {
  if (value === null) return { reason: 'expression gave null', problem: null };
  if (value instanceof Timestamp) {
    // A number would need the unit seconds; a timestamp has no unit.
    const at = Math.floor(value.ms);
    if (!Number.isFinite(at)) return failed('not finite', 'a timestamp');
    return at >= 0 && at <= LAST_INSTANT ? { at } : failed('out of range', 'a timestamp');
  }
  const kind = kindOf(value);
  if (kind !== 'string' && kind !== 'double' && kind !== 'int')
    return failed('wrong type', withArticle(kind));
  if (typeof value === 'string') spendCharacters(4 * value.length);
  const read = readReferenceTime(value, 'seconds');
  return 'at' in read ? read : failed(read.reason, kind === 'string' ? 'a string' : String(value));
}

function failed(reason: NeverReason, given: string): Outcome {
  return { reason, problem: `The expression gives ${given}: ${reason}.` };
}
