import type { PolicyChange, Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { client, queryClient, useChange } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { droppedKey } from './use-dropped-indexes.ts';

interface RevertInput {
  collection: string;
  change: PolicyChange;
  /** It is made again, which takes a build. */
  wasDropped: boolean;
  onDone: () => void;
}

/** Puts back what was before a change, expecting what the person saw [R8, X5]. */
export function useRevert({ collection, change, wasDropped, onDone }: RevertInput) {
  const { index, id } = change;
  return useChange({
    mutationFn: ({ dueAtOnce, at }: Pick<Preview, 'dueAtOnce' | 'at'>) =>
      client.ttlIndexes.revert({ collection, index, change: id, expect: { dueAtOnce, at } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['ttl-indexes', collection] });
      void queryClient.invalidateQueries({ queryKey: ['policy-history', collection, index] });
      void queryClient.invalidateQueries({ queryKey: droppedKey(collection) });
      showToast({
        kind: 'good',
        title: wasDropped ? `${index} is put back` : `${index} is reverted`,
        detail: wasDropped
          ? `It is built in the background; ${collection} then follows it.`
          : `${collection} follows it from now on.`,
      });
      onDone();
    },
  });
}
