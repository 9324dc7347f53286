/**
 * Mutants: small changes of a source, each of which a test has to notice. Changed are conditions, comparisons, arithmetic,
 * logical operators, literals, returned values, array and Math methods, operators of SQL, anchors of regular expressions,
 * and statements, which are left out. Types, declarations and sentences are not.
 */
import { parse } from '@babel/parser';
import type { Node } from '@babel/types';
import { type AddMutant, mutateNode } from './mutations.ts';
import { type Site, switched } from './switched-source.ts';

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

/** Returns the mutants of one source, whose ids begin at `firstId`, and its text with all of them, switched off. */
export function mutate(
  file: string,
  source: string,
  firstId: number,
): { mutants: Mutant[]; instrumented: string } {
  const sites = new Map<string, Site>();
  const mutants: Mutant[] = [];
  const lines = source.split('\n');
  const add: AddMutant = (node, form, text) => {
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
  const tree = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'explicitResourceManagement'],
    // So that the text of an operand has its parentheses.
    createParenthesizedExpressions: true,
  });
  visit(tree.program, [], { source, add });
  return { mutants, instrumented: switched(source, [...sites.values()]) };
}

function visit(node: Node, parents: readonly Node[], context: Parameters<typeof mutateNode>[2]): void {
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
