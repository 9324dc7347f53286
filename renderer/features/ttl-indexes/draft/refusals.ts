import type { Problem } from '../../../api.ts';
import type { ChosenDefinition, Control, DraftProblems } from './index-draft.ts';

/** Assigns an error of the engine to the control that caused it; null: no control. */
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

/** Maps the member of a definition that an error names to its control. */
export function controlOf(
  about: Readonly<Record<string, unknown>>,
  { source, onExpire }: Pick<ChosenDefinition, 'source' | 'onExpire'>,
): Control {
  if ('expireAfter' in about) return 'expireAfter';
  if ('format' in about) return 'formats';
  if ('zone' in about) return 'zone';
  if ('schedule' in about) return 'cron';
  if ('onExpire' in about) return onExpire.action === 'move' ? 'moveTo' : 'patch';
  const isReplacement = onExpire.action === 'replace' && onExpire.expression === about.expression;
  if (isReplacement) return 'replacement';
  return source.kind === 'expression' ? 'expression' : 'field';
}

/** Position of a mistake in an expression; line and column count from 1. */
export interface Place {
  /** The text that was sent; the present text may differ. */
  expression: string;
  line: number;
  column: number;
}

/** Returns the position of a mistake, if the error has one [D8]. */
export function placeOf({ data: { expression, line, column } }: Problem): Place | null {
  return typeof expression === 'string' && typeof line === 'number' && typeof column === 'number'
    ? { expression, line, column }
    : null;
}
