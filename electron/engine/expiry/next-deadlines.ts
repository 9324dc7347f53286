import type { ExpiryStore, ReapSource } from './expiry-store.ts';

/** Cache of each source's next deadline, invalidated when its collection changes. */
export class NextDeadlines {
  readonly #store: ExpiryStore;
  /** By collection, then by key of the source. */
  readonly #known = new Map<string, Map<string, number | null>>();

  constructor(store: ExpiryStore) {
    this.#store = store;
  }

  /** Epoch ms; null if no document has a deadline. */
  of(source: ReapSource): number | null {
    const known = this.#find(source);
    if (known !== undefined) return known;
    const at = this.#store.nextDeadline(source);
    const { collection, key } = source;
    const ofCollection = this.#known.get(collection);
    if (ofCollection === undefined) this.#known.set(collection, new Map([[key, at]]));
    else ofCollection.set(key, at);
    return at;
  }

  /** Like `of`, without caching: for a transaction that may still fail. */
  peek(source: ReapSource): number | null {
    const known = this.#find(source);
    return known === undefined ? this.#store.nextDeadline(source) : known;
  }

  changed(collections: ReadonlySet<string>): void {
    for (const collection of collections) this.#known.delete(collection);
  }

  invalidate({ collection, key }: ReapSource): void {
    this.#known.get(collection)?.delete(key);
  }

  #find({ collection, key }: ReapSource): number | null | undefined {
    return this.#known.get(collection)?.get(key);
  }
}
