import type { DocumentFilter } from '../../../shared/contract/documents.ts';
import { createStore, useStore } from '../../state/store.ts';

/** The documents of a filter. */
export interface FilteredPart {
  filter: DocumentFilter;
  includeExpired: boolean;
  /** `state Soon, containing “kite”`. */
  description: string;
}

/** A requested export; the dialog is open while there is one. */
export interface ExportRequest {
  collection: string;
  /** The current filter of the list; null: none. */
  part: FilteredPart | null;
  /** `_id`s of the selection; null: none. */
  ids: readonly string[] | null;
}

const request = createStore<ExportRequest | null>(null);

export const requestExport: (next: ExportRequest | null) => void = request.set;

export function useExportRequest(): ExportRequest | null {
  return useStore(request);
}
