import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { type JsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { draftsOf, keepDraft } from './drafts.ts';
import { readDocumentText } from './json-text.ts';

/** Writes one document as it was edited; its explicit expiration stays [C3]. */
export function useSaveDocument(collection: string) {
  return useChange({
    mutationFn: ({ id, document }: { id: string; document: JsonObject }) =>
      client.documents.put({ params: { collection, id }, body: document }),
    onSuccess: (saved, { id, document }) => {
      settleDraft(collection, id, document, saved);
      if (saved.expiredOnArrival) {
        showToast({
          kind: 'info',
          title: `${visibleText(saved._id)} is already due`,
          detail: 'What was written gives it a deadline in the past: it is hidden and leaves at once.',
        });
      }
    },
  });
}

/** What was typed on while it was being written stays a draft, now of what was written. */
function settleDraft(collection: string, id: string, written: JsonObject, base: DocumentRecord): void {
  const draft = draftsOf(collection).get(id);
  if (draft === undefined) return;
  const read = readDocumentText(draft.text);
  const isWritten = 'document' in read && stringifyJson(read.document) === stringifyJson(written);
  keepDraft(collection, id, isWritten ? null : { base, text: draft.text });
}

/** What was refused, in the engine's words; null while nothing was. */
export function refusalOf(error: unknown): string | null {
  return error === null ? null : problemOf(error).message;
}
