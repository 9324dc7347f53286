import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';

/** Unsaved text of a document. */
export interface Draft {
  /** The document when editing began. */
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

/** Keeps a draft while the tab is open; null discards it. */
export function keepDraft(collection: string, id: string, draft: Draft | null): void {
  const next = new Map(draftsOf(collection));
  if (draft === null) next.delete(id);
  else next.set(id, draft);
  byCollection.set(inConnection(collection), next);
}

export function useDrafts(collection: string): Drafts {
  return useKeyed(byCollection, inConnection(collection))[0];
}
