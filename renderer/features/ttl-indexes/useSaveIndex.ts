import { useMutation } from '@tanstack/react-query';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import type { FieldSource, Schedule } from '../../../shared/model/ttl-index.ts';
import { client, type Problem, problemOf, queryClient } from '../../api.ts';

export interface IndexToSave {
  collection: string;
  name: string;
  isNew: boolean;
  source: FieldSource;
  schedule: Schedule;
  /** What the person saw, and the instant it was true of [R8]. */
  dueAtOnce: number;
  seenAt: number;
}

/** Creates an index, or changes one. */
export function useSaveIndex(onSaved: (index: TtlIndex) => void) {
  return useMutation({
    mutationFn: ({ collection, name, isNew, source, schedule, dueAtOnce, seenAt }: IndexToSave) => {
      const change = { collection, source, schedule, expect: { dueAtOnce, at: seenAt } };
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

export type Refusals = Partial<Record<'field' | 'expireAfter' | 'name', string>>;

/** What the engine refused, beside the control it is about; null where it belongs to none. */
export function refusalsOf(problem: Problem): Refusals | null {
  switch (problem.code) {
    case 'TTL_INDEX_EXISTS':
    case 'INVALID_NAME':
      return { name: problem.message };
    case 'INVALID_TTL_INDEX':
      return 'expireAfter' in problem.data ? { expireAfter: problem.message } : { field: problem.message };
    default:
      return null;
  }
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
