/** Since when documents are due for another reason than their deadline, epoch ms [M1]. */
export class DueSince {
  readonly #at = new Map<string, number>();

  /** Records that a document became due only at `at`, when its explicit expiration was cleared. */
  set(collection: number, row: number, at: number): void {
    this.#at.set(`${collection}:${row}`, at);
  }

  /** Returns since when a document is due, and removes the record; 0 if there is none. */
  take(collection: number, row: number): number {
    if (this.#at.size === 0) return 0;
    const key = `${collection}:${row}`;
    const at = this.#at.get(key) ?? 0;
    this.#at.delete(key);
    return at;
  }

  /** Like `take`, of all documents of a collection. */
  takeAll(collection: number): number[] {
    const taken: number[] = [];
    for (const [key, at] of this.#at) {
      if (!key.startsWith(`${collection}:`)) continue;
      this.#at.delete(key);
      taken.push(at);
    }
    return taken;
  }
}
