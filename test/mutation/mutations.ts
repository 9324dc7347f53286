import type {
  CallExpression,
  Function as FunctionNode,
  Node,
  StringLiteral,
  TemplateLiteral,
} from '@babel/types';
import type { Site } from './switched-source.ts';

const OTHER_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '??=': ['='],
};
const OTHER_METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  trunc: 'ceil',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  find: 'findLast',
  findLast: 'find',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
};
const SQL = /\b(SELECT|UPDATE|DELETE FROM|INSERT INTO|WHERE|ORDER BY)\b/;
const SQL_OPERATORS =
  /<=|>=|<>|(?<![<>!-])[<>](?![<>=])|\b(?:ASC|DESC|MIN|MAX|AND|OR)\b|\bIS NOT NULL\b|\bIS NULL\b/g;
const OTHER_SQL: Readonly<Record<string, string>> = {
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '<>': '=',
  ASC: 'DESC',
  DESC: 'ASC',
  MIN: 'MAX',
  MAX: 'MIN',
  AND: 'OR',
  OR: 'AND',
  'IS NULL': 'IS NOT NULL',
  'IS NOT NULL': 'IS NULL',
};
/** Names, codes and formats, not sentences. */
const WORD = /^[\w.:-]+$/;

/** Takes the text that replaces a place of the source. */
export type AddMutant = (
  node: { start?: number | null; end?: number | null },
  form: Site['form'],
  text: string,
) => void;

interface Context {
  readonly source: string;
  readonly add: AddMutant;
}

/** Adds the mutants of one node, without those of its children. `parents`: the outermost first. */
export function mutateNode(node: Node, parents: readonly Node[], context: Context): void {
  const { add } = context;
  const text = (of: Node) => context.source.slice(of.start ?? 0, of.end ?? 0);
  const parent = parents.at(-1);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      // `a || b || c`: the operands of the other operator are `a || b` and `c`.
      const left =
        /^[&|]+$/.test(node.operator) && 'operator' in node.left && node.left.operator === node.operator
          ? `(${text(node.left)})`
          : text(node.left);
      for (const operator of OTHER_OPERATORS[node.operator] ?? []) {
        add(node, 'expression', `${left} ${operator} ${text(node.right)}`);
      }
      if (node.operator === '??') add(node, 'expression', text(node.left));
      return;
    }
    case 'UnaryExpression':
      if (node.operator === '!') add(node, 'expression', text(node.argument));
      if (node.operator === '-' && parent?.type !== 'TemplateLiteral')
        add(node, 'expression', text(node.argument));
      return;
    case 'UpdateExpression': {
      const operator = node.operator === '++' ? '--' : '++';
      add(node, 'expression', node.prefix ? operator + text(node.argument) : text(node.argument) + operator);
      return;
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      add(node.test, 'expression', 'true');
      add(node.test, 'expression', 'false');
      return;
    case 'WhileStatement':
      add(node.test, 'expression', 'false');
      return;
    case 'BooleanLiteral':
      add(node, 'expression', String(!node.value));
      return;
    case 'NumericLiteral':
      add(
        node,
        'expression',
        String(node.value === 0 ? 1 : node.value < 100 ? node.value + 1 : node.value * 2),
      );
      return;
    case 'StringLiteral':
    case 'TemplateLiteral':
      mutateText(node, parent, context);
      return;
    case 'RegExpLiteral': {
      const { pattern, flags } = node;
      if (pattern.startsWith('^')) add(node, 'expression', `/${pattern.slice(1)}/${flags}`);
      if (pattern.endsWith('$') && !pattern.endsWith('\\$'))
        add(node, 'expression', `/${pattern.slice(0, -1)}/${flags}`);
      return;
    }
    case 'ArrayExpression':
      if (node.elements.length > 0) add(node, 'expression', '[]');
      return;
    case 'CallExpression':
      mutateMethod(node, context);
      return;
    case 'ReturnStatement':
      mutateReturn(node.argument ?? null, parents, context);
      if (node.argument == null) add(node, 'statement', '');
      return;
    case 'ExpressionStatement': {
      const called = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (called.type === 'CallExpression' && called.callee.type === 'Super') return;
      if (/^(OptionalCall|Call|Assignment|Update)Expression$/.test(called.type)) add(node, 'statement', '');
      return;
    }
    case 'ContinueStatement':
    case 'BreakStatement':
    case 'ThrowStatement':
      add(node, 'statement', '');
      return;
  }
}

function mutateText(
  node: StringLiteral | TemplateLiteral,
  parent: Node | undefined,
  { source, add }: Context,
): void {
  const text = source.slice(node.start ?? 0, node.end ?? 0);
  if (parent?.type === 'TaggedTemplateExpression') return;
  if (SQL.test(text)) {
    for (const found of text.matchAll(SQL_OPERATORS)) {
      // An arrow function within `${}` is no SQL.
      if (text[found.index - 1] === '=') continue;
      const other = OTHER_SQL[found[0]] ?? '';
      add(node, 'expression', text.slice(0, found.index) + other + text.slice(found.index + found[0].length));
    }
  } else if (node.type === 'StringLiteral' && WORD.test(node.value)) {
    // A comparison has mutants of its own.
    const isCompared = parent?.type === 'BinaryExpression' && /^[!=]==$/.test(parent.operator);
    if (!isCompared) add(node, 'expression', "''");
  }
}

function mutateMethod({ callee }: CallExpression, { add }: Context): void {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return;
  const other = Object.hasOwn(OTHER_METHODS, callee.property.name) && OTHER_METHODS[callee.property.name];
  if (other)
    add(
      { start: (callee.property.start ?? 0) - 1, end: callee.property.end ?? null },
      'property',
      `.${other}`,
    );
}

/** Returned values of functions that are declared to return a boolean or a number. */
function mutateReturn(argument: Node | null, parents: readonly Node[], { add }: Context): void {
  if (argument === null || /Literal$/.test(argument.type)) return;
  const within = parents.findLast((parent): parent is FunctionNode =>
    /^(Arrow)?Function|^(Object|Class|ClassPrivate)Method$/.test(parent.type),
  );
  if (within?.returnType?.type !== 'TSTypeAnnotation') return;
  const declared = within.returnType.typeAnnotation.type;
  if (declared === 'TSBooleanKeyword') {
    add(argument, 'expression', 'true');
    add(argument, 'expression', 'false');
  } else if (declared === 'TSNumberKeyword') add(argument, 'expression', '0');
}
