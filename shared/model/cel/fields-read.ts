import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf } from './check.ts';

/** Most paths shown for an expression. */
const MOST_FIELDS = 5;

/** Returns the paths of `doc` that an expression reads, in the order of its text: `doc.a.b` and `doc["a"]`. */
export function fieldsRead(root: ASTNode): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const visit = (node: ASTNode): void => {
    const path = pathOf(node);
    if (path !== null && path.length > 0) found.set(JSON.stringify(path), path);
    else for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return [...found.values()].slice(0, MOST_FIELDS);
}

/** Returns the path that a node reads from `doc`; null if it reads another value. */
function pathOf(node: ASTNode): readonly string[] | null {
  if (node.op === 'id') return node.args === 'doc' ? [] : null;
  if (node.op === '.') {
    const base = pathOf(node.args[0]);
    return base === null ? null : [...base, node.args[1]];
  }
  if (node.op !== '[]' || node.args[1].op !== 'value' || typeof node.args[1].args !== 'string') return null;
  const base = pathOf(node.args[0]);
  return base === null ? null : [...base, node.args[1].args];
}
