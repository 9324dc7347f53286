import { checkExpression, environmentOf } from '../cel/check.ts';
import { compileWhole } from '../cel/compile.ts';
import { OutOfTime, REPLACEMENT_ALLOWANCE } from '../cel/cost.ts';
import type { Dialect } from '../cel/dialect.ts';
import { MERGE, WITHOUT } from '../cel/document-functions.ts';
import { toJson } from '../cel/json.ts';
import { EvaluationProblem, mistakeIn } from '../cel/problem.ts';
import { aKind, Timestamp, withArticle } from '../cel/values.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';

/** The new document, the removal of the document, or the error of the expression. */
export type Replaced = { document: JsonObject } | { remove: true } | { problem: string };

/** A compiled `replace` action [A3]. */
export interface Replacement {
  readonly text: string;
  /** Returns the result for `document`, which is not changed; `nowMs` is epoch ms. Throws only OutOfTime. */
  apply(document: JsonObject, nowMs: number): Replaced;
}

const DIALECT: Dialect = {
  variables: { doc: 'dyn', now: 'google.protobuf.Timestamp' },
  functions: { merge: MERGE, without: WITHOUT },
  absent: { updatedAt: '“updatedAt” is not available in a replacement; “now” is, and doc.' },
};
const ENVIRONMENT = environmentOf(DIALECT);
const NAMES = Object.keys(DIALECT.variables);

/** Types that can be a document. */
const MAYBE_A_DOCUMENT = /^(dyn|map|null)/;

/**
 * Compiles the expression of a `replace` action [A3]: CEL over `doc` and `now` that returns the new document as a map,
 * or null to remove it. `merge(doc, {…})` and `without(doc, "a", "b.c")` are available. Example, a queue whose expiring
 * claim is released while the message is kept: `merge(without(doc, "c.e"), {"c": {"id": null}})`. Throws
 * INVALID_TTL_INDEX with `{ expression, line, column }`, from 1, for an invalid expression.
 */
export function compileReplacement(text: string): Replacement {
  const { root, type } = checkExpression(ENVIRONMENT, DIALECT, text);
  if (!MAYBE_A_DOCUMENT.test(type)) {
    const given = type.replace('google.protobuf.', '').toLowerCase();
    throw mistakeIn(
      text,
      root.start,
      `This gives ${withArticle(given)}; it should give a document, or null to remove it.`,
    );
  }
  const scope = { text, names: NAMES, functions: DIALECT.functions };
  const evaluate = compileWhole(root, scope, REPLACEMENT_ALLOWANCE);
  return {
    text,
    apply: (document, nowMs) => {
      try {
        const value = evaluate([document, new Timestamp(nowMs)]);
        if (value === null) return { remove: true };
        const json = toJson(value);
        if (isJsonObject(json)) return { document: json };
        return { problem: `The expression gives ${aKind(value)}; it should give a document, or null.` };
      } catch (error) {
        if (error instanceof OutOfTime) throw error;
        if (error instanceof EvaluationProblem) return { problem: error.message };
        // Any other error of one document must not stop the others: the document is quarantined with this error [A5].
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
