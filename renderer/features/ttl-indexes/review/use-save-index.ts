import type { Preview, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { client, engineNow, orpc, problemOf, queryClient, reportRemoval, useChange } from '../../../api.ts';
import type { ChosenDefinition } from '../draft/index-draft.ts';
import { limitChanges } from '../draft/limits-draft.ts';
import { parameterChanges } from '../draft/parameters-draft.ts';

export interface IndexToSave {
  collection: string;
  name: string;
  /** The present definition; null: a new index is created. */
  before: TtlIndex | null;
  definition: ChosenDefinition;
  /** The effect that the person saw, and the instant of its count [R8]. */
  dueAtOnce: number;
  seenAt: number;
}

/** Creates or changes an index. */
export function useSaveIndex(onSaved: (index: TtlIndex) => void) {
  return useChange({
    mutationFn: async ({ collection, name, before, definition, dueAtOnce, seenAt }: IndexToSave) => {
      const from = engineNow();
      const expect = { dueAtOnce, at: seenAt };
      const report = (saved: TtlIndex): TtlIndex => {
        const acts = dueAtOnce > 0 && definition.schedule.mode !== 'observe';
        if (acts)
          reportRemoval({
            collection,
            cause: 'expired',
            index: saved.name,
            from,
            isCertain: true,
            job: saved.job,
          });
        return saved;
      };
      if (before === null)
        return report(await client.ttlIndexes.create({ collection, ...definition, name, expect }));
      const { limits, parameters, ...rest } = definition;
      const set = parameterChanges(before.parameters, parameters);
      const changed = limitChanges(before.limits, limits);
      return report(
        await client.ttlIndexes.update({
          collection,
          index: name,
          ...rest,
          ...(changed !== null && { limits: changed }),
          ...(parameters !== undefined && set !== null && { parameters: set }),
          expect,
        }),
      );
    },
    onSuccess: (index, { collection }) => {
      void queryClient.invalidateQueries({ queryKey: orpc.ttlIndexes.list.key({ input: { collection } }) });
      onSaved(index);
    },
  });
}

/** Returns the new count if the confirmed one is outdated. */
export function changedPreview(error: unknown): Pick<Preview, 'dueAtOnce'> | null {
  const { code, data } = problemOf(error);
  if (code !== 'EXPECTATION_FAILED') return null;
  const { preview } = data;
  const hasCount = typeof preview === 'object' && preview !== null && 'dueAtOnce' in preview;
  return hasCount && typeof preview.dueAtOnce === 'number'
    ? { dueAtOnce: preview.dueAtOnce }
    : { dueAtOnce: 0 };
}
