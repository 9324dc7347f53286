import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** Bytes of a document sent for a row, which shows only the beginning of values. */
export const CLIP_BYTES = 16_384;

export interface ListedPage {
  documents: DocumentRecord[];
  next: string | null;
}

export interface PageSource {
  /** Reads up to `limit` rows after `after` (null: from the first). A long search returns fewer rows and a `next`. */
  list(after: string | null, limit: number, signal: AbortSignal): Promise<ListedPage>;
  /**
   * Returns a cursor about `fraction` (0 to 1) of the way; null if the rows there can only be reached by reading on.
   */
  locate(fraction: number, signal: AbortSignal): Promise<string | null>;
  /** Reads up to `limit` rows right before `row`, in order; null if the list cannot be read backwards. */
  before(row: DocumentRecord, limit: number, signal: AbortSignal): Promise<DocumentRecord[] | null>;
}
