import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { client, problemOf, queryClient, useChange } from '../../../api.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitChanges } from '../draft/limits-draft.ts';

export interface IndexToSave {
  collection: string;
  name: string;
  /** The index as it is; null where one is created. */
  before: TtlIndex | null;
  definition: ChosenDefinition;
  /** What the person saw, and the instant it was true of [R8]. */
  dueAtOnce: number;
  seenAt: number;
}

/** Creates an index, or changes one. */
export function useSaveIndex(onSaved: (index: TtlIndex) => void) {
  return useChange({
    mutationFn: ({ collection, name, before, definition, dueAtOnce, seenAt }: IndexToSave) => {
      const expect = { dueAtOnce, at: seenAt };
      if (before === null) return client.ttlIndexes.create({ collection, ...definition, name, expect });
      const { limits, ...rest } = definition;
      const changed = limitChanges(before.limits, limits);
      return client.ttlIndexes.update({
        collection,
        index: name,
        ...rest,
        ...(changed !== null && { limits: changed }),
        expect,
      });
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
