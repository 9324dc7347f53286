export interface BackupOptions {
  /** Paths of stores that may not be there at the moment, whose side names are refused as well [S2]. */
  knownStores?: readonly string[];
  signal: AbortSignal;
  /** Bytes. */
  onProgress(done: number, total: number): void;
}

export interface BackupResult {
  /** Of the file. */
  bytes: number;
  /** Rows of documents in it, those removed and not yet swept among them. */
  documents: number;
}
