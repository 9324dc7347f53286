import { useSyncExternalStore } from 'react';
import type { DocumentFilter } from '../../../shared/contract/documents.ts';

/** What a filter chooses. */
export interface FilteredPart {
  filter: DocumentFilter;
  includeExpired: boolean;
  /** `state Soon, holding “kite”`. */
  words: string;
}

/** What someone wants exported; the dialog opens while there is one. */
export interface ExportRequest {
  collection: string;
  /** The list as it is narrowed now; null where it is not. */
  part: FilteredPart | null;
  /** `_id`s of what is selected; null where nothing is. */
  ids: readonly string[] | null;
}

let request: ExportRequest | null = null;
const listeners = new Set<() => void>();

export function requestExport(next: ExportRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}

export function useExportRequest(): ExportRequest | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}
