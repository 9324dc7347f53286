import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { client, problemOf, queryClient, useChange } from '../../../api.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitChanges } from '../draft/limits-draft.ts';

export interface IndexToSave {
  collection: string;
  name: string;
  /** The present definition; null: one is created. */
  before: TtlIndex | null;
  definition: ChosenDefinition;
  /** The effect that the person saw, and the instant of its count [R8]. */
  dueAtOnce: number;
  seenAt: number;
}

/** Creates or changes an index. */
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

/** Returns the new count, if the one that was seen is outdated. */
export function changedPreview(error: unknown): Pick<Preview, 'dueAtOnce'> | null {
  const { code, data } = problemOf(error);
  if (code !== 'EXPECTATION_FAILED') return null;
  const { preview } = data;
  const hasCount = typeof preview === 'object' && preview !== null && 'dueAtOnce' in preview;
  return hasCount && typeof preview.dueAtOnce === 'number'
    ? { dueAtOnce: preview.dueAtOnce }
    : { dueAtOnce: 0 };
}
