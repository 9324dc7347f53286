/**
 * Most summaries of one update. If more collections change, each is sent in every few updates: 1,000 that change all
 * the time are each sent once a second, and an update costs no more than with 100.
 * @internal
 */
export const MOST_SUMMARIES = 100;

/** Collections whose summary at a watcher is outdated. */
export class OutdatedSummaries {
  /** In the order in which they became outdated. */
  readonly #names = new Set<string>();

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  add(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name);
  }

  /**
   * Removes and returns the next names: those without a summary at the watcher, then those outdated for the longest
   * time.
   */
  take(isUnknown: (name: string) => boolean): string[] {
    const names = [...this.#names];
    const next =
      names.length <= MOST_SUMMARIES
        ? names
        : [...names.filter(isUnknown), ...names.filter(name => !isUnknown(name))].slice(0, MOST_SUMMARIES);
    for (const name of next) this.#names.delete(name);
    return next;
  }
}
