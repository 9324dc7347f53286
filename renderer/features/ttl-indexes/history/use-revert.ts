import { t } from '@lingui/core/macro';
import type { PolicyChange, Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { client, engineNow, orpc, queryClient, reportRemoval, useChange } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';

interface RevertInput {
  collection: string;
  change: PolicyChange;
  /** The index was dropped, so that it is built again. */
  wasDropped: boolean;
  onDone: () => void;
}

/** Reverts a change, if the definition and the effect are still those that the person saw [R8, X5]. */
export function useRevert({ collection, change, wasDropped, onDone }: RevertInput) {
  const { index, id } = change;
  return useChange({
    mutationFn: async ({ dueAtOnce, at }: Pick<Preview, 'dueAtOnce' | 'at'>) => {
      const from = engineNow();
      const { job } = await client.ttlIndexes.revert({
        collection,
        index,
        change: id,
        expect: { dueAtOnce, at },
      });
      if (dueAtOnce > 0) reportRemoval({ collection, cause: 'expired', index, from, isCertain: true, job });
    },
    onSuccess: () => {
      for (const { key } of [orpc.ttlIndexes.list, orpc.ttlIndexes.history, orpc.ttlIndexes.dropped])
        void queryClient.invalidateQueries({ queryKey: key({ input: { collection } }) });
      showToast({
        kind: 'good',
        title: wasDropped ? t`${index} restored` : t`${index} reverted`,
        detail: wasDropped
          ? t`It is built in the background, then in effect for ${collection}.`
          : t`In effect for ${collection} from now on.`,
      });
      onDone();
    },
  });
}
