import { useMutation } from '@tanstack/react-query';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { client, type Problem, problemOf, queryClient } from '../../api.ts';
import type { ChosenDefinition, Control, DraftProblems } from './indexDraft.ts';

export interface IndexToSave {
  collection: string;
  name: string;
  isNew: boolean;
  definition: ChosenDefinition;
  /** What the person saw, and the instant it was true of [R8]. */
  dueAtOnce: number;
  seenAt: number;
}

/** Creates an index, or changes one. */
export function useSaveIndex(onSaved: (index: TtlIndex) => void) {
  return useMutation({
    mutationFn: ({ collection, name, isNew, definition, dueAtOnce, seenAt }: IndexToSave) => {
      const change = { collection, ...definition, expect: { dueAtOnce, at: seenAt } };
      return isNew
        ? client.ttlIndexes.create({ ...change, name })
        : client.ttlIndexes.update({ ...change, index: name });
    },
    onSuccess: (index, { collection }) => {
      void queryClient.invalidateQueries({ queryKey: ['ttl-indexes', collection] });
      onSaved(index);
    },
  });
}

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
  if ('cron' in about || 'timeZone' in about) return 'cron';
  if ('everyMs' in about) return 'every';
  if ('to' in about) return 'moveTo';
  if ('patch' in about) return 'patch';
  if ('retention' in about) return 'retention';
  if ('expireAfterField' in about) return 'ttlField';
  const isReplacement = onExpire.action === 'replace' && onExpire.expression === about.expression;
  if (isReplacement) return 'replacement';
  return source.kind === 'expression' ? 'expression' : 'field';
}

/** Where in an expression its mistake is; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** The mistake of an expression, where a problem is one [D8]. */
export function placeOf({ data: { line, column } }: Problem): Place | null {
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : null;
}

/** The count as it is by now, where it is no longer the one that was seen. */
export function changedPreview(error: unknown): Pick<Preview, 'dueAtOnce'> | null {
  const { code, data } = problemOf(error);
  if (code !== 'EXPECTATION_FAILED') return null;
  const { preview } = data;
  const hasCount = typeof preview === 'object' && preview !== null && 'dueAtOnce' in preview;
  return hasCount && typeof preview.dueAtOnce === 'number'
    ? { dueAtOnce: preview.dueAtOnce }
    : { dueAtOnce: 0 };
}
