import { useMutation } from '@tanstack/react-query';
import type { JsonObject } from '../../../shared/model/json.ts';
import { client, problemOf } from '../../api.ts';
import { showToast } from '../../components/toast-store.ts';

/** Writes one document as it was edited; its explicit expiration stays [C3]. */
export function useSaveDocument(collection: string) {
  return useMutation({
    mutationFn: ({ id, document }: { id: string; document: JsonObject }) =>
      client.documents.put({ params: { collection, id }, body: document }),
    onSuccess: saved => {
      if (saved.expiredOnArrival) {
        showToast({
          kind: 'info',
          title: `${saved._id} is already due`,
          detail: 'What was written gives it a deadline in the past: it is hidden and leaves at once.',
        });
      }
    },
  });
}

/** What was refused, in the engine's words; null while nothing was. */
export function refusalOf(error: unknown): string | null {
  return error === null ? null : problemOf(error).message;
}
