import type { CollectionRetention } from '../definitions/collection-retention.ts';
import type { StoredBody } from '../tables/documents/stored-json.ts';
import type { RetainedCopies, RetentionSettings } from '../tables/removals/retained-copies.ts';
import type { Writer } from '../write/writer.ts';
import type { ListedCopies } from './interval-listing.ts';
import type { Retention, Tombstone } from './sweep.ts';

/** So many bytes of the oldest are evicted beside any copy, if there is too much. */
const LEAST_EVICTED = 64 * 1024;

/**
 * Evicts restorable data [X4]: copies and dropped collections whose retention has ended, and the oldest of both while
 * the store keeps more bytes than allowed. Works in small steps between other work.
 */
export class EmbeddedRetention implements Retention, ListedCopies {
  readonly #writer: Writer;
  readonly #retained: RetainedCopies;
  readonly #dropped: CollectionRetention;
  readonly #settings: () => RetentionSettings;

  constructor(
    writer: Writer,
    retained: RetainedCopies,
    dropped: CollectionRetention,
    settings: () => RetentionSettings,
  ) {
    this.#writer = writer;
    this.#retained = retained;
    this.#dropped = dropped;
    this.#settings = settings;
  }

  hasTables(collection: number): boolean {
    return this.#writer.catalog.byId.has(collection) || this.#dropped.isKept(collection);
  }

  keep(removed: readonly Tombstone[]): void {
    const now = this.#writer.clock.now();
    const first = removed[0]?.seq ?? 0;
    const last = removed.at(-1)?.seq ?? 0;
    this.#evictBeside(() => {
      for (const collection of new Set(removed.map(one => one.collection)))
        if (this.hasTables(collection)) this.#retained.keepRemoved(collection, first - 1, last, now);
    });
  }

  isKept(keepUntilAt: number): boolean {
    return keepUntilAt > this.#writer.clock.now();
  }

  keepAll(seq: number, keepUntilAt: number, bodies: readonly (StoredBody | null)[]): void {
    this.#evictBeside(() => this.#retained.keepAll(seq, keepUntilAt, bodies));
  }

  releaseFreed(): void {
    this.#retained.releaseStatements(collection => !this.hasTables(collection));
  }

  step(until: number): boolean {
    const { clock } = this.#writer;
    const now = clock.now();
    if (!this.#retained.hasOverdue(now) && !this.#dropped.hasOverdue(now) && this.#beyond() <= 0)
      return this.#dropped.free(until);
    return this.#writer.maintain(() => {
      this.#dropped.releaseOverdue(now);
      // Frees at least a few, even without time left: callers repeat the call as long as there is more.
      let more: boolean;
      do more = this.#retained.releaseOverdue(now) || this.#evictOldest(this.#beyond());
      while (more && clock.elapsed() < until);
      return true;
    });
  }

  /**
   * Copies documents, and evicts the oldest while there is too much: about twice as much as was copied at most, so that
   * no slice takes longer after the limit was lowered or a collection dropped. `step` evicts the rest.
   */
  #evictBeside(copy: () => void): void {
    const before = this.#beyond();
    copy();
    let left = 2 * (this.#beyond() - before) + LEAST_EVICTED;
    for (let beyond = this.#beyond(); beyond > 0 && left > 0; beyond = this.#beyond()) {
      if (!this.#evictOldest(Math.min(beyond, left))) return;
      left -= Math.max(1, beyond - this.#beyond());
    }
  }

  /** Returns the bytes kept beyond the limit. */
  #beyond(): number {
    return this.#retained.bytes + this.#dropped.bytes - this.#settings().retentionBytes;
  }

  /** Evicts some of the oldest until so many bytes are free. Returns whether there may be more. */
  #evictOldest(bytes: number): boolean {
    if (bytes <= 0) return false;
    const copiedAt = this.#retained.oldestRemovedAt();
    const droppedAt = this.#dropped.oldest();
    if (droppedAt !== null && (copiedAt === null || droppedAt <= copiedAt)) {
      this.#dropped.releaseOldest();
      return true;
    }
    return this.#retained.releaseOldest(bytes);
  }
}
