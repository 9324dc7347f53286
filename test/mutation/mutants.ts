/**
 * Mutants: small changes of a source, each of which a test has to notice. Changed are conditions, comparisons, arithmetic,
 * logical operators, literals, returned values, array and Math methods, operators of SQL, anchors of regular expressions,
 * and statements, which are left out. Types, declarations and sentences are not.
 */
import { parse } from '@babel/parser';
import type {
  CallExpression,
  Function as FunctionNode,
  Node,
  StringLiteral,
  TemplateLiteral,
} from '@babel/types';

export interface Mutant {
  /** From 1 on, in the order of the sources. */
  readonly id: number;
  /** Relative to the root, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly before: string;
  /** Empty for a statement that is left out. */
  readonly after: string;
  /** The trimmed text of the line, by which a known survivor is found again. */
  readonly code: string;
}

/** One place of a source and the texts that replace it. */
interface Site {
  readonly start: number;
  readonly end: number;
  /** `property`: the name of a method, with its dot. */
  readonly form: 'expression' | 'statement' | 'property';
  readonly variants: { readonly text: string; readonly id: number }[];
}

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

/** Returns the mutants of one source, whose ids begin at `firstId`, and its text with all of them, switched off. */
export function mutate(
  file: string,
  source: string,
  firstId: number,
): { mutants: Mutant[]; instrumented: string } {
  const sites = new Map<string, Site>();
  const mutants: Mutant[] = [];
  const lines = source.split('\n');
  const add = (node: { start?: number | null; end?: number | null }, form: Site['form'], text: string) => {
    const { start, end } = node;
    if (typeof start !== 'number' || typeof end !== 'number') return;
    const key = `${start}-${end}-${form}`;
    const site = sites.get(key) ?? { start, end, form, variants: [] };
    if (text === source.slice(start, end) || site.variants.some(variant => variant.text === text)) return;
    sites.set(key, site);
    const line = source.slice(0, start).split('\n').length;
    const id = firstId + mutants.length;
    mutants.push({
      id,
      file,
      line,
      before: source.slice(start, end),
      after: text,
      code: (lines[line - 1] ?? '').trim(),
    });
    site.variants.push({ id, text });
  };
  const tree = parse(source, { sourceType: 'module', plugins: ['typescript', 'explicitResourceManagement'] });
  visit(tree.program, [], { source, add });
  return { mutants, instrumented: switched(source, [...sites.values()]) };
}

interface Visit {
  readonly source: string;
  readonly add: (
    node: { start?: number | null; end?: number | null },
    form: Site['form'],
    text: string,
  ) => void;
}

function visit(node: Node, parents: readonly Node[], context: Visit): void {
  if (isType(node)) return;
  mutateNode(node, parents, context);
  for (const child of childrenOf(node)) visit(child, [...parents, node], context);
}

function isType(node: Node): boolean {
  if (/^TS(As|Satisfies|NonNull|Instantiation)Expression$/.test(node.type)) return false;
  return (
    node.type.startsWith('TS') ||
    node.type === 'ImportDeclaration' ||
    node.type === 'ExportAllDeclaration' ||
    (node.type === 'ExportNamedDeclaration' && node.source != null)
  );
}

function childrenOf(node: Node): Node[] {
  const isKey = 'computed' in node && node.computed !== true;
  return Object.entries(node)
    .filter(
      ([name]) => name !== 'loc' && name !== 'extra' && name !== 'directives' && !name.endsWith('omments'),
    )
    .filter(([name]) => !(isKey && (name === 'key' || name === 'property')))
    .flatMap(([, value]) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function mutateNode(node: Node, parents: readonly Node[], context: Visit): void {
  const { add } = context;
  const text = (of: Node) => context.source.slice(of.start ?? 0, of.end ?? 0);
  const parent = parents.at(-1);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      for (const operator of OTHER_OPERATORS[node.operator] ?? []) {
        add(node, 'expression', `${text(node.left)} ${operator} ${text(node.right)}`);
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
  { source, add }: Visit,
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

function mutateMethod({ callee }: CallExpression, { add }: Visit): void {
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
function mutateReturn(argument: Node | null, parents: readonly Node[], { add }: Visit): void {
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

/** Returns the source with each site as a choice by `__mutant(id)`, which is true for the active mutant. */
function switched(source: string, sites: readonly Site[]): string {
  const order = sites.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  let next = 0;
  const render = (from: number, to: number): string => {
    let text = '';
    let at = from;
    for (let site = order[next]; site !== undefined && site.start < to; site = order[next]) {
      next += 1;
      text += source.slice(at, site.start) + choice(site, render(site.start, site.end));
      at = site.end;
    }
    return text + source.slice(at, to);
  };
  return render(0, source.length);
}

const rank = ({ form }: Site) => (form === 'statement' ? 0 : 1);

function choice({ form, variants }: Site, original: string): string {
  if (form === 'statement') {
    return `{if (!(${variants.map(({ id }) => `__mutant(${id})`).join(' || ')})) {${original}}}`;
  }
  if (form === 'property') {
    const names = variants.map(({ id, text }) => `__mutant(${id}) ? '${text.slice(1)}' : `).join('');
    return `[${names}'${original.slice(1)}']`;
  }
  return `(${variants.map(({ id, text }) => `__mutant(${id}) ? (${text}) : `).join('')}(${original}))`;
}
