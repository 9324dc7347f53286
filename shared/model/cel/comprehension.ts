import type { ASTNode } from '@marcbachmann/cel-js';
import { nodesOf } from './check.ts';
import { makeItem, spend } from './cost.ts';
import { EvaluationProblem, mistakeIn } from './problem.ts';
import { condition, type Evaluate, type Scope } from './scope.ts';
import { aKind, isMap, keysOf } from './values.ts';

const NAMES = ['all', 'exists', 'exists_one', 'filter', 'map'] as const;
type Comprehension = (typeof NAMES)[number];

/** Steps of an item, in addition to those of its expression. */
const ITEM = 10;

export function isComprehension(name: string): name is Comprehension {
  return NAMES.some(known => known === name);
}

/** CEL's macros over a list, or over the keys of a map: `doc.items.exists(item, item.open)`. */
export function comprehension(
  name: Comprehension,
  range: Evaluate,
  [variable, first, second]: readonly ASTNode[],
  scope: Scope,
  compile: (node: ASTNode, scope: Scope) => Evaluate,
): Evaluate {
  if (variable?.op !== 'id' || first === undefined)
    throw mistakeIn(scope.text, variable?.start ?? 0, `${name} takes a name and an expression.`);
  const place = scope.names.length;
  const inner: Scope = { ...scope, names: [...scope.names, variable.args] };
  const body = compile(first, inner);
  const transform = second === undefined ? undefined : compile(second, inner);
  const steps = ITEM + nodesOf(first) + (second === undefined ? 0 : nodesOf(second));
  /** Returns the items of the range; each is bound to the variable before the next one is read. */
  function* bound(frame: unknown[]): Generator<unknown> {
    for (const item of itemsOf(range(frame))) {
      spend(steps);
      frame[place] = item;
      yield item;
    }
  }
  switch (name) {
    case 'all':
      return frame => quantified(frame, bound, body, false);
    case 'exists':
      return frame => quantified(frame, bound, body, true);
    case 'exists_one':
      return frame => {
        let count = 0;
        for (const _ of bound(frame)) if (condition(body(frame))) count += 1;
        return count === 1;
      };
    case 'filter':
      return frame => {
        const kept: unknown[] = [];
        for (const item of bound(frame)) {
          if (!condition(body(frame))) continue;
          makeItem();
          kept.push(item);
        }
        return kept;
      };
    case 'map':
      return frame => {
        const made: unknown[] = [];
        for (const _ of bound(frame)) {
          makeItem();
          if (transform === undefined) made.push(body(frame));
          else if (condition(body(frame))) made.push(transform(frame));
        }
        return made;
      };
  }
}

/** One item can decide the result, even if the expression fails for another item. */
function quantified(
  frame: unknown[],
  bound: (frame: unknown[]) => Iterable<unknown>,
  body: Evaluate,
  decisive: boolean,
): boolean {
  let failed: EvaluationProblem | undefined;
  for (const _ of bound(frame)) {
    try {
      if (condition(body(frame)) === decisive) return decisive;
    } catch (error) {
      if (!(error instanceof EvaluationProblem)) throw error;
      failed ??= error;
    }
  }
  if (failed !== undefined) throw failed;
  return !decisive;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isMap(value)) return keysOf(value);
  throw new EvaluationProblem(`A list or a map is expected, not ${aKind(value)}.`);
}
