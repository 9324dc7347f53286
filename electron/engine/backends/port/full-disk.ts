/** Reason why writes are refused [S1]. Bytes are those of the file system that holds the store. */
export interface DiskFull {
  /** Epoch ms. */
  readonly since: number;
  readonly freeBytes: number;
  /** Free bytes from which writes are accepted again. */
  readonly neededBytes: number;
}

/** State after a failed sync of the store's file or log: writes are refused [S5]. */
export interface SyncFailure {
  /** Epoch ms. */
  readonly since: number;
  /** Why the store could not be copied into a new file yet; null: the copy is being made. */
  readonly problem: string | null;
}

export interface Disk {
  /** Null if writes are accepted. */
  readonly full: DiskFull | null;
  /** Null if every sync succeeded. */
  readonly syncFailure: SyncFailure | null;
  /**
   * Why no space is reserved for a full disk, for example because the file system is too small; null if space is
   * reserved, or will be soon.
   */
  readonly reserveProblem: string | null;
  /** Calls `listener` when one of these has changed. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
}
