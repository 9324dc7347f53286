import { RE2JS, RE2JSException } from 're2js';
import { make, spend } from './cost.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind } from './values.ts';

/** Steps of compiling any pattern, each of its characters, and each part with its repetitions expanded. */
const PATTERN_STEPS = 2_000;
const CHARACTER_STEPS = 2_000;
const PART_STEPS = 100;
const PART_BYTES = 200;

/** Largest product of repetitions; RE2 refuses a larger one. */
const MOST_REPETITIONS = 1_000;

/**
 * Compiles an RE2 pattern, as in CEL. A literal pattern is compiled with its expression. A pattern from a document is
 * compiled and charged each time: with a cache, its cost would depend on earlier evaluations. Throws EvaluationProblem
 * for an invalid pattern, TooCostly.
 */
export function regularExpression(pattern: unknown): RE2JS {
  if (typeof pattern !== 'string')
    throw new EvaluationProblem(`matches takes a string, not ${aKind(pattern)}.`);
  spend(PATTERN_STEPS + pattern.length * CHARACTER_STEPS);
  const parts = pattern.length * repetitionsOf(pattern);
  spend(parts * PART_STEPS);
  make(parts * PART_BYTES);
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new EvaluationProblem(`matches: “${pattern}” is not a regular expression: ${error.message}.`);
  }
}

/**
 * Returns an upper bound of the repetitions of a character of the pattern with `{n,m}` expanded. The counts of groups
 * multiply, because groups can be nested; of the counts of single characters only one is innermost.
 */
function repetitionsOf(pattern: string): number {
  let groups = 1;
  let single = 1;
  for (const [, before, least, most] of pattern.matchAll(/(.?)\{(\d+)(?:,(\d*))?\}/gs)) {
    const count = Math.max(1, Number(least), Number(most ?? 0));
    if (before === ')') groups *= count;
    else single = Math.max(single, count);
  }
  return Math.min(MOST_REPETITIONS, groups * single);
}
