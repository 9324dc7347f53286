import { useMutation } from '@tanstack/react-query';
import type { Preview, TtlIndex } from '../../../shared/contract/ttl-indexes.ts';
import { client, problemOf, queryClient } from '../../api.ts';
import type { ChosenDefinition } from './indexDraft.ts';

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
