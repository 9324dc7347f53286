import { inConnection } from '../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../state/keyed-store.ts';
import type { IndexDraft } from './draft/index-draft.ts';

/** Unsaved input of each form: leaving the page does not lose it. */
const drafts = createKeyedStore<IndexDraft | null>(() => null);

/** Null until something was typed: the form then shows its initial values. */
export function useDraft(form: string): [IndexDraft | null, (draft: IndexDraft | null) => void] {
  return useKeyed(drafts, inConnection(form));
}
