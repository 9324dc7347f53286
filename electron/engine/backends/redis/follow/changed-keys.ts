/** Most keys that wait to be read again: with more, keys change faster than they may be read. */
const MOST_WAITING = 50_000;

/**
 * Keys that changed and have to be read again. A key that changes many times meanwhile is read once.
 *
 * Notifications and replies arrive on different connections. A watch collects the keys of all notifications since a
 * read was sent: the read may have returned an older state of these keys, so they are read again.
 */
export class ChangedKeys<Changed> {
  readonly #waiting = new Map<string, Changed>();
  readonly #reading = new Set<string>();
  readonly #watches = new Set<Set<string>>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a key that changed. Returns false if too many wait. */
  add(id: string, changed: Changed): boolean {
    this.#note(id);
    if (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(id)) return false;
    this.#waiting.set(id, changed);
    return true;
  }

  /**
   * Records that a key is gone and is not to be read any more. Returns whether its mirrored deadline was up to date.
   */
  gone(id: string): boolean {
    this.#note(id);
    return !this.#waiting.delete(id) && !this.#reading.has(id);
  }

  /** Returns up to `most` keys to be read. Call `done` after they are read. */
  take(most: number): Map<string, Changed> {
    const taken = new Map([...this.#waiting].slice(0, most));
    for (const id of taken.keys()) {
      this.#waiting.delete(id);
      this.#reading.add(id);
    }
    return taken;
  }

  done(taken: Iterable<string>): void {
    for (const id of taken) this.#reading.delete(id);
  }

  /** Returns a set of the keys of all notifications from now on, until `unwatch`. */
  watch(): Set<string> {
    const watch = new Set<string>();
    this.#watches.add(watch);
    return watch;
  }

  unwatch(watch: Set<string>): void {
    this.#watches.delete(watch);
  }

  clear(): void {
    this.#waiting.clear();
  }

  #note(id: string): void {
    for (const watch of this.#watches) watch.add(id);
  }
}
