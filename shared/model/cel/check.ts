import { type ASTNode, Environment, ParseError, type TypeCheckResult } from '@marcbachmann/cel-js';
import type { Dialect } from './dialect.ts';
import { FUNCTIONS } from './functions.ts';
import { explainMistake } from './mistakes.ts';
import { mistakeIn } from './problem.ts';

export interface CheckedExpression {
  root: ASTNode;
  /** CEL's name of the value's type: `dyn` if the type depends on the document. */
  type: string;
}

/** Most nested levels: enough for rules in practice, and far below the depth at which recursion fails. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 100 };

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';

/** CEL does not mix int with double, or any value with null; these operators do [D8]. */
const MIXED_OPERATORS = [
  ...['+', '-', '*', '/', '%'].flatMap(op => [`int ${op} double: double`, `double ${op} int: double`]),
  'double % double',
  'int == double',
  'list<int> == list<double>',
  'int in list<double>',
  'double in list<int>',
  ...['bool', 'int', 'double', 'string', 'list', 'map', TIMESTAMP, DURATION].map(type => `null == ${type}`),
  ...['int', 'double'].flatMap(type => [
    `${DURATION} * ${type}: ${DURATION}`,
    `${type} * ${DURATION}: ${DURATION}`,
  ]),
];

/**
 * The grammar and the type rules of a dialect. Finds errors only: evaluation is compiled by `compile.ts`, so the
 * functions registered here are never called.
 */
export function environmentOf(dialect: Dialect): Environment {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS });
  for (const [name, type] of Object.entries(dialect.variables)) environment.registerVariable(name, type);
  for (const operator of MIXED_OPERATORS) environment.registerOperator(operator, neverCalled);
  environment.registerFunction('string.replace(string, string): string', neverCalled);
  for (const { signatures = [] } of Object.values({ ...FUNCTIONS, ...dialect.functions })) {
    for (const signature of signatures) environment.registerFunction(signature, neverCalled);
  }
  return environment;
}

function neverCalled(): never {
  throw new Error('An expression was evaluated by its type checker.');
}

/** Parses and type-checks `text`. Throws INVALID_TTL_INDEX with the position of the first error. */
export function checkExpression(environment: Environment, dialect: Dialect, text: string): CheckedExpression {
  if (text.trim() === '') throw mistakeIn(text, 0, 'An expression is needed.');
  const { root, check } = parse(environment, dialect, text);
  freeTernaries(environment, root);
  const { type, error } = check();
  // The library fails to choose an operator for an item of an empty list or map, with an error of no class of its own.
  if (error !== undefined && !('code' in error))
    throw mistakeIn(
      text,
      0,
      'The items of an empty list or map have no type here; write dyn([]) or dyn({}).',
    );
  if (error !== undefined) throw explainMistake(text, error, dialect);
  return { root, type: type ?? 'dyn' };
}

function parse(
  environment: Environment,
  dialect: Dialect,
  text: string,
): { root: ASTNode; check(): TypeCheckResult } {
  try {
    const parsed = environment.parse(text);
    return { root: parsed.ast, check: parsed.check };
  } catch (error) {
    if (error instanceof ParseError) throw explainMistake(text, error, dialect);
    throw error;
  }
}

/** Allows the branches of every `? :` to differ in type, as in `… : null`, by wrapping both in `dyn(…)`. */
function freeTernaries(environment: Environment, root: ASTNode): void {
  const waiting: ASTNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    waiting.push(...childrenOf(node));
    if (node.op === '?:') {
      const [, yes, no] = node.args;
      node.args[1] = inDyn(environment, yes);
      node.args[2] = inDyn(environment, no);
    }
  }
}

function inDyn(environment: Environment, node: ASTNode): ASTNode {
  const wrapper = environment.parse('dyn(null)').ast;
  if (wrapper.op === 'call') wrapper.args[1][0] = node;
  return wrapper;
}

/** Returns the number of nodes of an expression. */
export function nodesOf(root: ASTNode): number {
  return childrenOf(root).reduce((sum, child) => sum + nodesOf(child), 1);
}

/** Returns the operands of a node, in the order of the text. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}
