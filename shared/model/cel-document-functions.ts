import { spend } from './cel-cost.ts';
import type { CelFunction } from './cel-functions.ts';
import { EvaluationProblem } from './cel-problem.ts';
import { aKind, type CelMap, isMap } from './cel-values.ts';

/** Paths that `without` takes beside the document. */
const MOST_PATHS = 8;

/**
 * `merge(doc, {…})`, RethinkDB's merge: maps are merged into maps, at any depth, and anything else replaces. Null is a value
 * like others and is set; to take a field out there is `without`.
 */
export const MERGE: CelFunction = {
  signatures: ['merge(dyn, dyn): map'],
  apply: (base, changes) => {
    if (isMap(base) && isMap(changes)) return merged(base, changes);
    throw new EvaluationProblem(`merge takes two maps, not ${aKind(base)} and ${aKind(changes)}.`);
  },
};

function merged(base: CelMap, changes: CelMap): CelMap {
  // A map, and fromEntries after it, because assigning to a field named `__proto__` would do something else.
  const fields = new Map(Object.entries(base));
  spend(fields.size);
  for (const [name, value] of Object.entries(changes)) {
    const before = fields.get(name);
    fields.set(name, isMap(before) && isMap(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(fields);
}

/**
 * `without(doc, "a", "c.e", …)`, or `without(doc, ["a", "c.e"])`: the document less these fields. Dots reach into maps; a
 * path that is not there changes nothing.
 */
export const WITHOUT: CelFunction = {
  signatures: Array.from({ length: MOST_PATHS }, (_, i) => `without(dyn${', dyn'.repeat(i + 1)}): map`),
  apply: (base, ...paths) => {
    if (!isMap(base)) throw new EvaluationProblem(`without takes a map first, not ${aKind(base)}.`);
    let left = base;
    for (const path of paths.flat()) {
      if (typeof path !== 'string')
        throw new EvaluationProblem(`without takes names of fields, not ${aKind(path)}.`);
      left = cut(left, path.split('.'));
    }
    return left;
  },
};

function cut(map: CelMap, [name = '', ...rest]: readonly string[]): CelMap {
  if (!Object.hasOwn(map, name)) return map;
  const fields = Object.entries(map);
  spend(fields.length);
  if (rest.length === 0) return Object.fromEntries(fields.filter(([key]) => key !== name));
  const inner = map[name];
  if (!isMap(inner)) return map;
  return Object.fromEntries(fields.map(([key, value]) => [key, key === name ? cut(inner, rest) : value]));
}
