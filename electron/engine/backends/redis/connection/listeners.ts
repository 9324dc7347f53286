/** Listeners of one event. */
export class Listeners<Args extends unknown[]> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** Returns the function that unsubscribes. */
  add(listener: (...args: Args) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(...args: Args): void {
    for (const listener of this.#listeners) listener(...args);
  }
}
