import { makeMap, spend, spendCharacters } from './cost.ts';
import type { CelFunction } from './functions.ts';
import { EvaluationProblem } from './problem.ts';
import { aKind, type CelMap, hasField, isMap, keysOf } from './values.ts';

/** Most paths that `without` takes after the document. */
const MOST_PATHS = 8;

/**
 * `merge(doc, {…})`, RethinkDB's merge: maps are merged into maps, at any depth, and anything else replaces. Null is
 * set like any other value; `without` removes fields.
 */
export const MERGE: CelFunction = {
  signatures: ['merge(dyn, dyn): map'],
  apply: (base, changes) => {
    if (isMap(base) && isMap(changes)) return merged(base, changes);
    throw new EvaluationProblem(`merge takes two maps, not ${aKind(base)} and ${aKind(changes)}.`);
  },
};

function merged(base: CelMap, changes: CelMap): CelMap {
  // A Map, because an assignment to a field named `__proto__` would set the prototype.
  makeMap(keysOf(base).length + keysOf(changes).length);
  const fields = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(changes)) {
    const before = fields.get(name);
    fields.set(name, isMap(before) && isMap(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(fields);
}

/**
 * `without(doc, "a", "c.e", …)`, or `without(doc, ["a", "c.e"])`: the document without these fields. Dots separate the
 * steps into nested maps; a path that does not exist has no effect.
 */
export const WITHOUT: CelFunction = {
  signatures: Array.from({ length: MOST_PATHS }, (_, i) => `without(dyn${', dyn'.repeat(i + 1)}): map`),
  apply: (base, ...paths) => {
    if (!isMap(base)) throw new EvaluationProblem(`without takes a map first, not ${aKind(base)}.`);
    let left = base;
    const all = paths.flat();
    spend(all.length);
    for (const path of all) {
      if (typeof path !== 'string')
        throw new EvaluationProblem(`without takes names of fields, not ${aKind(path)}.`);
      left = without(left, path);
    }
    return left;
  },
};

/** `path` is split at its dots only as far as there are nested maps. */
function without(map: CelMap, path: string): CelMap {
  const dot = path.indexOf('.');
  const name = dot < 0 ? path : path.slice(0, dot);
  spendCharacters(path.length);
  if (!hasField(map, name)) return map;
  const inner = map[name];
  if (dot >= 0 && !isMap(inner)) return map;
  makeMap(keysOf(map).length);
  const fields = Object.entries(map);
  if (dot < 0 || !isMap(inner)) return Object.fromEntries(fields.filter(([key]) => key !== name));
  const rest = without(inner, path.slice(dot + 1));
  return Object.fromEntries(fields.map(([key, value]) => [key, key === name ? rest : value]));
}
