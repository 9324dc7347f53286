import { RE2JS, RE2JSException } from 're2js';
import { make, spend } from './cost.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind } from './values.ts';

/** Steps of compiling any pattern, each of its characters, and each part once its repetitions are written out. */
const PATTERN_STEPS = 2_000;
const CHARACTER_STEPS = 2_000;
const PART_STEPS = 100;
const PART_BYTES = 200;

/** RE2 refuses repetitions whose product is larger. */
const MOST_REPETITIONS = 1_000;

/**
 * Compiles a pattern, RE2's as CEL has it. A pattern that is a literal is compiled with its expression; one that a document
 * brings is compiled, and paid for, each time: were it kept, the price would depend on what was evaluated before.
 * Throws EvaluationProblem for what is no pattern, TooCostly.
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
 * How many times at most a character of the pattern is repeated where `{n,m}` are written out: the counts of groups
 * multiply, since groups lie in one another, and of the counts of single characters one is innermost.
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
