/** Keys that are remembered. */
const MOST_KEYS = 1_000;

/**
 * The keys whose values were read last, by id. A write that keeps the deadline changes nothing in the mirror; for these keys it is
 * noted all the same, so that an open panel is read again.
 */
export class OpenedKeys {
  readonly #ids = new Set<string>();

  /** Call it before the value is read, so that no later write is missed. */
  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST_KEYS && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Returns whether the value of a key was read since the last call for it. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }
}
