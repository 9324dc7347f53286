import type { DroppedCollection } from '../../../../shared/contract/collections.ts';
import type { DroppedStore } from '../backend.ts';
import type { Definitions } from './definitions.ts';
import type { DroppedCollections } from './dropped-collections.ts';
import type { Writer } from './writer.ts';

/** Dropped collections, as the API asks for them [X4]. */
export class EmbeddedDropped implements DroppedStore {
  readonly #writer: Writer;
  readonly #dropped: DroppedCollections;
  readonly #definitions: Definitions;

  constructor(writer: Writer, dropped: DroppedCollections, definitions: Definitions) {
    this.#writer = writer;
    this.#dropped = dropped;
    this.#definitions = definitions;
  }

  list(): DroppedCollection[] {
    return this.#dropped.list(this.#writer.clock.now());
  }

  restore(id: number, name?: string): string {
    const { name: before } = this.#dropped.get(id, this.#writer.clock.now());
    this.#definitions.restoreCollection(id, name ?? before);
    return name ?? before;
  }

  letGo(id: number): DroppedCollection {
    const found = this.#dropped.get(id, this.#writer.clock.now());
    this.#writer.maintain(() => this.#dropped.letGo(id));
    return found;
  }

  free(budgetMs: number): boolean {
    return this.#dropped.free(this.#writer.clock.elapsed() + budgetMs);
  }
}
