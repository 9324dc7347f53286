export interface FileWorkOptions {
  signal: AbortSignal;
  /** Documents. */
  onProgress?(done: number, total: number): void;
}

export interface CheckResult {
  documents: number;
  /** What was found, a sentence each; none: the file is whole. */
  problems: readonly string[];
}

export interface CompactResult {
  bytesBefore: number;
  bytesAfter: number;
}

export interface FileSpace {
  /** Size of the store's file. */
  bytes: number;
  /** Pages in use, those still in the write-ahead log included. */
  usedBytes: number;
  /** Pages that hold nothing. */
  unusedBytes: number;
  /** Free bytes needed on the disk while the file is compacted. */
  neededBytes: number;
  /** Free bytes on the store's disk. */
  freeBytes: number;
}

export interface FileCare {
  space(): FileSpace;
  /** Reads the whole file, and counts its documents again. Rejects with CANCELLED. */
  check(options: FileWorkOptions): Promise<CheckResult>;
  /**
   * Writes the file anew without what is unused in it. Reads go on; until it is over, `suspended` is not null. Rejects with
   * DISK_FULL before it begins where there is no room for it. Once begun it is not cancelled.
   */
  compact(options: FileWorkOptions): Promise<CompactResult>;
  /** Resolves when writes are taken again; null: they are. */
  readonly suspended: Promise<void> | null;
  /** Statements that renew what the query planner knows, each short; null within a day of the last time. */
  staleStatistics(): readonly string[] | null;
  /** Does so where the table is large; of small ones the planner knows enough. */
  renewStatistics(statement: string): void;
  noteStatisticsRenewed(): void;
}
