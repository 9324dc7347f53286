import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';

/** What somebody typed into a document and did not save. */
export interface Draft {
  /** The document as it was when the typing began. */
  base: DocumentRecord;
  text: string;
}

/** By `_id`. */
export type Drafts = ReadonlyMap<string, Draft>;

const NO_DRAFTS: Drafts = new Map();
const byCollection = createKeyedStore(() => NO_DRAFTS);

export function draftsOf(collection: string): Drafts {
  return byCollection.get(inConnection(collection));
}

/** Keeps what was typed as long as the tab lives, or with null gives it up. */
export function keepDraft(collection: string, id: string, draft: Draft | null): void {
  const next = new Map(draftsOf(collection));
  if (draft === null) next.delete(id);
  else next.set(id, draft);
  byCollection.set(inConnection(collection), next);
}

export function useDrafts(collection: string): Drafts {
  return useKeyed(byCollection, inConnection(collection))[0];
}
