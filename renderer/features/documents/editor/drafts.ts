import { useCallback, useSyncExternalStore } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { inConnection } from '../../../components/navigation/location.ts';

/** What somebody typed into a document and did not save. */
export interface Draft {
  /** The document as it was when the typing began. */
  base: DocumentRecord;
  text: string;
}

/** By `_id`. */
export type Drafts = ReadonlyMap<string, Draft>;

const NO_DRAFTS: Drafts = new Map();
const byCollection = new Map<string, Drafts>();
const listeners = new Set<() => void>();

export function draftsOf(collection: string): Drafts {
  return byCollection.get(inConnection(collection)) ?? NO_DRAFTS;
}

/** Keeps what was typed as long as the tab lives, or with null gives it up. */
export function keepDraft(collection: string, id: string, draft: Draft | null): void {
  const next = new Map(draftsOf(collection));
  if (draft === null) next.delete(id);
  else next.set(id, draft);
  byCollection.set(inConnection(collection), next);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDrafts(collection: string): Drafts {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => draftsOf(collection), [collection]),
  );
}
