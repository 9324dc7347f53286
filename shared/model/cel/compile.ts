import type { ASTNode } from '@marcbachmann/cel-js';
import { nodesOf } from './check.ts';
import { comprehension, isComprehension } from './comprehension.ts';
import {
  type Allowance,
  beginEvaluation,
  COMPILING_ALLOWANCE,
  makeList,
  makeMap,
  spend,
  spendCharacters,
  TooCostly,
} from './cost.ts';
import { type CelFunction, dateFormat, FUNCTIONS, inFormat, shortened } from './functions.ts';
import { METHODS, matches } from './methods.ts';
import { BINARY, negative } from './operators.ts';
import { regularExpression } from './pattern.ts';
import { EvaluationProblem, mistakeIn } from './problem.ts';
import { condition, type Evaluate, type Scope } from './scope.ts';
import { aKind, hasField, isMap, isNumber } from './values.ts';

/**
 * Compiles a checked expression, to be evaluated for many documents. Each evaluation starts with the whole `allowance`;
 * each node takes one step of it. Throws INVALID_TTL_INDEX for a function that the checker accepts and that does not
 * exist.
 */
export function compileWhole(root: ASTNode, scope: Scope, allowance: Allowance): Evaluate {
  beginEvaluation(COMPILING_ALLOWANCE);
  const evaluate = compile(root, scope);
  const nodes = nodesOf(root);
  return frame => {
    beginEvaluation(allowance);
    spend(nodes);
    return evaluate(frame);
  };
}

/**
 * Compiles a checked expression to closures. The library's own evaluator is not used: it selects an operator by the
 * first element of every list and map, keeps a type for each shape of document, and treats a field named `constructor`
 * as a class. Documents have any shape, so here only values decide, fields are own properties, and nothing is cached.
 * Throws INVALID_TTL_INDEX for a function that the checker accepts and that does not exist.
 */
function compile(node: ASTNode, scope: Scope): Evaluate {
  switch (node.op) {
    case 'value':
      return literal(node.args, node, scope);
    case 'id': {
      const place = scope.names.lastIndexOf(node.args);
      if (place < 0) throw mistakeIn(scope.text, node.start, `“${node.args}” is not a value.`);
      return frame => frame[place];
    }
    case '.':
      return field(compile(node.args[0], scope), node.args[1], source(node, scope));
    case '[]': {
      const [of, at] = [compile(node.args[0], scope), compile(node.args[1], scope)];
      const name = source(node, scope);
      return frame => element(of(frame), at(frame), name);
    }
    case 'call':
      return call(node, node.args[0], node.args[1], scope);
    case 'rcall':
      return method(node, node.args, scope);
    case 'list': {
      const items = node.args.map(item => compile(item, scope));
      return frame => {
        makeList(items.length);
        return items.map(item => item(frame));
      };
    }
    case 'map':
      return map(node.args, scope);
    case '?:': {
      const [test, yes, no] = node.args.map(part => compile(part, scope)) as [Evaluate, Evaluate, Evaluate];
      return frame => (condition(test(frame)) ? yes(frame) : no(frame));
    }
    case '&&':
      return decidedBy(false, compile(node.args[0], scope), compile(node.args[1], scope));
    case '||':
      return decidedBy(true, compile(node.args[0], scope), compile(node.args[1], scope));
    case '!_': {
      const operand = compile(node.args, scope);
      return frame => !condition(operand(frame));
    }
    case '-_': {
      const operand = compile(node.args, scope);
      return frame => negative(operand(frame));
    }
    case '.?':
    case '[?]':
      throw mistakeIn(scope.text, node.start, 'Optional access is not available; use has(…).');
    default: {
      const [left, right] = [compile(node.args[0], scope), compile(node.args[1], scope)];
      const operator = BINARY[node.op];
      return frame => operator(left(frame), right(frame));
    }
  }
}

function source({ start, end }: ASTNode, { text }: Scope): string {
  return text.slice(start, end);
}

function literal(value: unknown, node: ASTNode, scope: Scope): Evaluate {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isNumber(value))
    return () => value;
  throw mistakeIn(
    scope.text,
    node.start,
    'Bytes and unsigned numbers are not available; documents hold none.',
  );
}

function field(of: Evaluate, name: string, path: string): Evaluate {
  return frame => {
    const value = of(frame);
    if (isMap(value) && Object.hasOwn(value, name)) return value[name];
    throw missing(value, path, name);
  };
}

function element(value: unknown, at: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const index = isNumber(at) ? Number(at) : -1;
    if (Number.isInteger(index) && index >= 0 && index < value.length) return value[index];
    throw new EvaluationProblem(`${path}: the list has ${value.length} elements, and none at this place.`);
  }
  if (isMap(value) && typeof at === 'string' && hasField(value, at)) return value[at];
  throw missing(value, path, isNumber(at) ? String(at) : typeof at === 'string' ? shortened(at) : aKind(at));
}

function missing(value: unknown, path: string, name: string): EvaluationProblem {
  return new EvaluationProblem(
    isMap(value)
      ? `${path}: there is no field “${name}”.`
      : `${path}: ${aKind(value)} has no field “${name}”.`,
  );
}

function map(entries: readonly [ASTNode, ASTNode][], scope: Scope): Evaluate {
  const compiled = entries.map(([key, value]) => [compile(key, scope), compile(value, scope)] as const);
  return frame => {
    makeMap(entries.length);
    return Object.fromEntries(
      compiled.map(([key, value]) => {
        const name = key(frame);
        if (typeof name !== 'string')
          throw new EvaluationProblem(`The name of a field is a string, not ${aKind(name)}.`);
        spendCharacters(name.length);
        return [name, value(frame)];
      }),
    );
  };
}

function call(node: ASTNode, name: string, args: readonly ASTNode[], scope: Scope): Evaluate {
  const [first, second] = args;
  if (name === 'has' && first !== undefined) return has(first, scope);
  const known = Object.hasOwn(scope.functions, name) ? scope.functions[name] : FUNCTIONS[name];
  if (known === undefined || !(Object.hasOwn(scope.functions, name) || Object.hasOwn(FUNCTIONS, name)))
    throw mistakeIn(scope.text, node.start, `The function “${name}” is not available.`);
  const { apply } = known;
  const compiled = args.map(argument => compile(argument, scope));
  if (args.every(argument => argument.op === 'value')) return constant(first ?? node, compiled, apply, scope);
  if (name === 'timestamp' && second !== undefined) return dateInFormat(args, compiled, scope);
  const [a, b] = compiled;
  if (a !== undefined && second === undefined) return name === 'dyn' ? a : frame => apply(a(frame));
  if (a !== undefined && b !== undefined && compiled.length === 2) return frame => apply(a(frame), b(frame));
  return frame => apply(...compiled.map(argument => argument(frame)));
}

/** `timestamp(text, format, zone)`: a literal format is prepared once. */
function dateInFormat(args: readonly ASTNode[], compiled: readonly Evaluate[], scope: Scope): Evaluate {
  const [text = () => null, ...rest] = compiled;
  const [, at] = args;
  if (at !== undefined && args.slice(1).every(argument => argument.op === 'value')) {
    const prepared = madeOnce(at, scope, () => dateFormat(...rest.map(part => part([]))));
    return frame => inFormat(text(frame), prepared);
  }
  return frame => inFormat(text(frame), dateFormat(...rest.map(part => part(frame))));
}

/** Evaluates a call with literal arguments, such as `duration("10m")`, once. */
function constant(
  at: ASTNode,
  args: readonly Evaluate[],
  apply: CelFunction['apply'],
  scope: Scope,
): Evaluate {
  const value = madeOnce(at, scope, () => apply(...args.map(argument => argument([]))));
  return () => value;
}

/** Reports an error in a constant as an error of the expression, at the position of `at`. */
function madeOnce<Value>(at: ASTNode, { text }: Scope, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof TooCostly)
      throw mistakeIn(text, at.start, 'This takes too long to prepare. Make it shorter.');
    if (error instanceof EvaluationProblem) throw mistakeIn(text, at.start, error.message);
    throw error;
  }
}

function method(
  node: ASTNode,
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  scope: Scope,
): Evaluate {
  const of = compile(receiver, scope);
  if (isComprehension(name)) return comprehension(name, of, args, scope, compile);
  const apply = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (apply === undefined) throw mistakeIn(scope.text, node.start, `The method “${name}” is not available.`);
  const accepted = name === 'substring' ? 2 : name === 'join' ? 1 : apply.length - 1;
  if (args.length > accepted) {
    const why = name.startsWith('get')
      ? 'without a zone: the parts of a date are in UTC'
      : `with ${accepted} arguments`;
    throw mistakeIn(scope.text, node.start, `${name} is available only ${why}.`);
  }
  const compiled = args.map(argument => compile(argument, scope));
  const [pattern] = args;
  if (name === 'matches' && pattern?.op === 'value') {
    const expression = madeOnce(pattern, scope, () => regularExpression(pattern.args));
    return frame => matches(of(frame), expression);
  }
  return frame => apply(of(frame), ...compiled.map(argument => argument(frame)));
}

/** `has(doc.a.b)`: returns false if `doc.a` is missing or not a map, which is an error in CEL. */
function has(path: ASTNode, scope: Scope): Evaluate {
  const steps: string[] = [];
  let base = path;
  while (base.op === '.') {
    steps.unshift(base.args[1]);
    base = base.args[0];
  }
  const root = compile(base, scope);
  return frame => {
    let value = root(frame);
    for (const step of steps) {
      if (!isMap(value) || !Object.hasOwn(value, step)) return false;
      value = value[step];
    }
    return true;
  };
}

/** `&&` (decided by false) and `||` (decided by true). As in CEL, one side can decide, even if the other side fails. */
function decidedBy(decisive: boolean, left: Evaluate, right: Evaluate): Evaluate {
  return frame => {
    let first: boolean;
    try {
      first = condition(left(frame));
    } catch (error) {
      if (error instanceof EvaluationProblem && condition(right(frame)) === decisive) return decisive;
      throw error;
    }
    return first === decisive ? decisive : condition(right(frame));
  };
}
