import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import type { Incoming } from './writes.ts';

export interface FileWorkOptions {
  signal: AbortSignal;
  /** Documents of a check, bytes of compacting. */
  onProgress?(done: number, total: number): void;
}

export interface CheckResult {
  documents: number;
  /** One sentence per problem; empty if the file is intact. */
  problems: readonly string[];
}

export interface CompactResult {
  bytesBefore: number;
  bytesAfter: number;
}

export interface FileSpace {
  /** Size of the store's file, without its write-ahead log. */
  bytes: number;
  /** Size of the write-ahead log beside it. */
  walBytes: number;
  /** The sum of the two: the store on the disk. */
  totalBytes: number;
  /** Pages in use, also those that only the write-ahead log holds yet. */
  usedBytes: number;
  /** Unused pages. */
  unusedBytes: number;
  /** Free bytes needed on the disk while the file is compacted. */
  neededBytes: number;
  /** Free bytes on the store's disk. */
  freeBytes: number;
}

/** A collection of a damaged store. */
export interface DamagedCollection {
  /** `collections.id`. */
  readonly number: number;
  /** `recovered-N` if its name is lost. */
  readonly name: string;
  /** Documents that it recorded; null: unknown. */
  readonly recorded: number | null;
  readonly indexes: readonly TtlIndexDefinition[];
  /** Definitions that cannot be read. */
  readonly lostIndexes: number;
}

/** A damaged store, read as far as it can be. */
export interface DamagedFile {
  readonly collections: readonly DamagedCollection[];
  /** Bytes that the disk could not read. */
  readonly unreadableBytes: number;
  /** Removals that cannot be read: their documents may be returned as living ones. */
  readonly lostRemovals: number;
  /** Whether there are more of them, whose number nobody knows. */
  readonly hasLostRemovalRows: boolean;
  /** Some documents at a time, in no order. */
  documents(collection: DamagedCollection): Iterable<Incoming[]>;
  close(): void;
}

export interface FileCare {
  /**
   * Opens another store that is damaged, by a copy beside this one. Rejects with STORE_IN_USE if it is open, STORE_UNREADABLE if
   * nothing of it can be read, DISK_FULL, CANCELLED.
   */
  openDamaged(file: string, options: FileWorkOptions): Promise<DamagedFile>;
  space(): FileSpace;
  /** Reads the whole file and recounts its documents. Rejects with CANCELLED. */
  check(options: FileWorkOptions): Promise<CheckResult>;
  /**
   * Rewrites the file without its unused pages. Reads continue; `suspended` is not null until it ends or is cancelled.
   * Rejects with DISK_FULL if there is too little space to begin; with CANCELLED, the file unchanged.
   */
  compact(options: FileWorkOptions): Promise<CompactResult>;
  /** Resolves when writes are accepted again; null if they are now. */
  readonly suspended: Promise<void> | null;
  /** Returns short statements that renew the query planner's statistics; null within a day of the last time. */
  staleStatistics(): readonly string[] | null;
  /** Runs such a statement if its table is there and large; small ones need no statistics. */
  renewStatistics(statement: string): void;
  recordStatisticsRenewed(): void;
}
