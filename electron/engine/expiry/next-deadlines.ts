import type { ExpiryStore, ReapSource } from './expiry-store.ts';

/** Cache of each source's next deadline, invalidated when its collection changes. */
export class NextDeadlines {
  readonly #store: ExpiryStore;
  readonly #known = new Map<string, { collection: string; at: number | null }>();

  constructor(store: ExpiryStore) {
    this.#store = store;
  }

  /** Epoch ms; null if nothing will be due. */
  of(source: ReapSource): number | null {
    const known = this.#known.get(source.key);
    if (known !== undefined) return known.at;
    const at = this.#store.nextDeadline(source);
    this.#known.set(source.key, { collection: source.collection, at });
    return at;
  }

  /** Like `of`, but does not cache: for a transaction that may still fail. */
  peek(source: ReapSource): number | null {
    const known = this.#known.get(source.key);
    return known === undefined ? this.#store.nextDeadline(source) : known.at;
  }

  changed(collections: ReadonlySet<string>): void {
    for (const [key, { collection }] of this.#known) if (collections.has(collection)) this.#known.delete(key);
  }

  forget({ key }: ReapSource): void {
    this.#known.delete(key);
  }
}
