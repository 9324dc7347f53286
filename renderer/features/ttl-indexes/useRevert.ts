import { useMutation } from '@tanstack/react-query';
import type { PolicyChange, Preview } from '../../../shared/contract/ttl-indexes.ts';
import { client, queryClient } from '../../api.ts';
import { showToast } from '../../components/toast-store.ts';
import { forgetDropped } from './droppedIndexes.ts';

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
  return useMutation({
    mutationFn: ({ dueAtOnce, at }: Pick<Preview, 'dueAtOnce' | 'at'>) =>
      client.ttlIndexes.revert({ collection, index, change: id, expect: { dueAtOnce, at } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['ttl-indexes', collection] });
      void queryClient.invalidateQueries({ queryKey: ['policy-history', collection, index] });
      forgetDropped(collection, index);
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
