import type { ReplicaInterval } from '../../../../../shared/contract/replication.ts';
import type { Commit } from '../../backend.ts';

export type Change = Commit['changes'][number];

/** Deleted rows whose removals have consecutive numbers. */
export interface DeletedRows {
  readonly first: number;
  readonly collection: number;
  readonly rows: readonly number[];
}

/** Changes of a running transaction so far. */
export class Transaction {
  readonly revision: number;
  /** The instant of all its writes, epoch ms. */
  readonly at: number;
  readonly collections = new Set<string>();
  readonly #changes: Change[] = [];
  /** Documents and definitions that the changes name. */
  #length = 0;
  /** Rows of `removals` that it wrote, with consecutive numbers; null if there are none. */
  removals: { from: number; count: number } | null = null;
  /** Removals that were deleted in one statement each, in order. */
  readonly deletions: DeletedRows[] = [];
  /** Unchanged documents that were quarantined or released from quarantine [A5]. */
  readonly touched: { collection: string; row: number }[] = [];
  /** Documents that expired at once, for followers; null if there are none, or no follower is registered. */
  interval: ReplicaInterval | null = null;
  changesCatalog = false;
  removesRows = false;
  /** True if it changes more than it records: followers have to copy the store again [V5]. */
  isBeyondImages = false;
  /** Documents that a change of expirations made due at once, for the circuit breaker [R8]. */
  madeDue = 0;
  /** Called in order once it is committed, for state in memory that follows from it; must not throw. */
  readonly afterCommit: (() => void)[] = [];

  /** Whether it gets a revision even without changes. */
  readonly #isKept: boolean;

  constructor(revision: number, at: number, isKept = false) {
    this.revision = revision;
    this.at = at;
    this.#isKept = isKept;
  }

  touch(collection: string, row: number): void {
    this.touched.push({ collection, row });
    this.collections.add(collection);
  }

  note(change: Change): void {
    this.#changes.push(change);
    this.#length += change.documents ?? 1;
    this.collections.add(change.collection);
    if (change.kind === 'expire') this.removesRows = true;
    if (change.kind === 'definition') this.changesCatalog = true;
  }

  noteRemovals(from: number, count: number): void {
    if (this.removals === null) this.removals = { from, count };
    else this.removals.count += count;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }
  /** The position of the next change in its revision. */
  get length(): number {
    return this.#length;
  }
  get isEmpty(): boolean {
    return !this.#isKept && this.#changes.length === 0 && this.touched.length === 0 && !this.changesCatalog;
  }
  commit(): Commit {
    return { revision: this.revision, at: this.at, changes: this.#changes, collections: this.collections };
  }
}
