import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** A row of the table shows the beginnings of values: of a larger document no more is sent. */
export const CLIP_BYTES = 16_384;

export interface ListedPage {
  documents: DocumentRecord[];
  next: string | null;
}

export interface PageSource {
  /** Up to `limit` rows behind `after` (null: from the first). Fewer with a `next` where a search took long. */
  list(after: string | null, limit: number, signal: AbortSignal): Promise<ListedPage>;
  /** A cursor about `fraction` (0 to 1) of the way; null where there is no shorter way than to read on. */
  locate(fraction: number, signal: AbortSignal): Promise<string | null>;
  /** The up to `limit` rows right before `row`, in order; null where that cannot be asked. */
  before(row: DocumentRecord, limit: number, signal: AbortSignal): Promise<DocumentRecord[] | null>;
}
