import { checkExpression, environmentOf } from '../cel/check.ts';
import { compileWhole } from '../cel/compile.ts';
import { OutOfTime, READING_ALLOWANCE } from '../cel/cost.ts';
import type { Dialect } from '../cel/dialect.ts';
import { mistakeIn } from '../cel/problem.ts';
import { Timestamp, withArticle } from '../cel/values.ts';
import { SandglassError } from '../errors.ts';

/** Returns whether a document that was written at `updatedAtMs` (epoch ms) is selected. Throws only OutOfTime. */
export type DocumentTest = (document: unknown, updatedAtMs: number) => boolean;

const DIALECT: Dialect = {
  variables: { doc: 'dyn', updatedAt: 'google.protobuf.Timestamp' },
  functions: {},
  absent: {
    now: '“now” is not available. Compare with a moment, as timestamp("2026-01-31"), or filter by deadline.',
  },
};
const ENVIRONMENT = environmentOf(DIALECT);
const NAMES = Object.keys(DIALECT.variables);

/**
 * Compiles a CEL condition over `doc` and `updatedAt`. A document is not selected if the condition has no value for
 * it, because a field is missing or of another type, or if the value is not `true`. Throws INVALID_FILTER with `{
 * expression, line, column }`, from 1, for an invalid condition.
 */
export function compileFilter(text: string): DocumentTest {
  try {
    const { root, type } = checkExpression(ENVIRONMENT, DIALECT, text);
    if (type !== 'bool' && type !== 'dyn') {
      throw mistakeIn(text, root.start, `This gives ${withArticle(type)}; a filter is true or false.`);
    }
    const scope = { text, names: NAMES, functions: DIALECT.functions };
    const evaluate = compileWhole(root, scope, READING_ALLOWANCE);
    return (document, updatedAtMs) => {
      try {
        return evaluate([document, new Timestamp(updatedAtMs)]) === true;
      } catch (error) {
        if (error instanceof OutOfTime) throw error;
        // An error in one document must not end the search: the document is not selected.
        return false;
      }
    };
  } catch (error) {
    if (error instanceof SandglassError && error.code === 'INVALID_TTL_INDEX')
      throw new SandglassError('INVALID_FILTER', error.message, error.data);
    throw error;
  }
}
