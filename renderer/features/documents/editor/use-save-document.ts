import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { type JsonObject, stringifyJson } from '../../../../shared/model/json/json.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { client, problemOf, useChange } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { draftsOf, keepDraft } from './drafts.ts';
import { readDocumentText } from './json-text.ts';

/** The document is not stored any more as it was when editing began; nothing was written. */
export class ChangedElsewhere extends Error {
  override readonly name = 'ChangedElsewhere';
  readonly stored: DocumentRecord;

  constructor(stored: DocumentRecord) {
    super();
    this.stored = stored;
  }
}

interface Save {
  id: string;
  document: JsonObject;
  /** The document that the new one replaces. */
  base: DocumentRecord;
}

/**
 * Saves one document; its explicit expiration stays [C3]. Throws ChangedElsewhere. The stored document is compared, since a
 * row of PostgreSQL has no time of its last write, and not every Redis notifies of a write.
 */
export function useSaveDocument(collection: string) {
  return useChange({
    mutationFn: async ({ id, document, base }: Save) => {
      const stored = await client.documents.get({ collection, id, includeExpired: true });
      if (stringifyJson(stored.document) !== stringifyJson(base.document)) throw new ChangedElsewhere(stored);
      return client.documents.put({ params: { collection, id }, body: document });
    },
    onSuccess: (saved, { id, document }) => {
      settleDraft(collection, id, document, saved);
      reportArrival(saved);
    },
  });
}

/** Shows that a saved document is past its deadline. */
export function reportArrival({ _id, expiredOnArrival }: { _id: string; expiredOnArrival: boolean }): void {
  if (!expiredOnArrival) return;
  showToast({
    kind: 'info',
    title: t`${visibleText(_id)} is already due`,
    detail: t`Its new deadline is in the past: it is hidden and expires at once.`,
  });
}

/** Text typed during the save stays a draft, based on the saved document. */
function settleDraft(collection: string, id: string, written: JsonObject, base: DocumentRecord): void {
  const draft = draftsOf(collection).get(id);
  if (draft === undefined) return;
  const read = readDocumentText(draft.text);
  const isWritten = 'document' in read && stringifyJson(read.document) === stringifyJson(written);
  keepDraft(collection, id, isWritten ? null : { base, text: draft.text });
}

/** Message of a failed save; null: it did not fail, or the editor shows that the document was changed elsewhere. */
export function refusalOf(error: unknown): string | null {
  return error === null || error instanceof ChangedElsewhere ? null : problemOf(error).message;
}
