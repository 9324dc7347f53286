import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import { createStore, useStore } from '../../state/store.ts';

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

const request = createStore<ExportRequest | null>(null);

export const requestExport: (next: ExportRequest | null) => void = request.set;

export function useExportRequest(): ExportRequest | null {
  return useStore(request);
}
