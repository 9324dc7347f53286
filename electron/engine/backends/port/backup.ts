export interface BackupOptions {
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
