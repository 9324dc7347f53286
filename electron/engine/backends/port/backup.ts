export interface BackupOptions {
  /** Paths of configured stores that may be absent now, whose file names are refused as well [S2]. */
  knownStores?: readonly string[];
  signal: AbortSignal;
  /** Bytes. */
  onProgress(done: number, total: number): void;
}

export interface BackupResult {
  /** Size of the file. */
  bytes: number;
  /** Document rows in it, including those removed and not yet swept. */
  documents: number;
}
