/** Why writes are refused [S1]. Bytes are those of the file system that the store lies on. */
export interface DiskFull {
  /** Epoch ms. */
  readonly since: number;
  readonly freeBytes: number;
  /** So many have to be free before writes are taken again. */
  readonly neededBytes: number;
}

export interface Disk {
  /** Null: writes are taken. */
  readonly full: DiskFull | null;
  /** Why no space is set aside for a full disk, as where the file system is too small for it; null: it is, or is about to be. */
  readonly reserveProblem: string | null;
  /** Calls whenever one of these has changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
}
