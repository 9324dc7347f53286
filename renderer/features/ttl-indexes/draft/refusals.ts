import type { Problem } from '../../../api.ts';
import type { ChosenDefinition, Control, DraftProblems } from './index-draft.ts';

/** What the engine refused, beside the control it is about; null where it belongs to none. */
export function refusalsOf(problem: Problem, definition: ChosenDefinition): DraftProblems | null {
  switch (problem.code) {
    case 'TTL_INDEX_EXISTS':
    case 'INVALID_NAME':
      return { name: problem.message };
    case 'INVALID_TTL_INDEX':
      return { [controlOf(problem.data, definition)]: problem.message };
    default:
      return null;
  }
}

/** An error carries what it is about under the name it has in a definition. */
function controlOf(
  about: Readonly<Record<string, unknown>>,
  { source, onExpire }: ChosenDefinition,
): Control {
  if ('expireAfter' in about) return 'expireAfter';
  if ('schedule' in about) return 'cron';
  if ('onExpire' in about) return onExpire.action === 'move' ? 'moveTo' : 'patch';
  const isReplacement = onExpire.action === 'replace' && onExpire.expression === about.expression;
  if (isReplacement) return 'replacement';
  return source.kind === 'expression' ? 'expression' : 'field';
}

/** Where in an expression its mistake is; both count from 1. */
export interface Place {
  /** The text it is of: what was typed since may no longer hold it. */
  expression: string;
  line: number;
  column: number;
}

/** The mistake of an expression, where a problem is one [D8]. */
export function placeOf({ data: { expression, line, column } }: Problem): Place | null {
  return typeof expression === 'string' && typeof line === 'number' && typeof column === 'number'
    ? { expression, line, column }
    : null;
}
