import type { Pause } from '../../../../../shared/model/ttl-index.ts';
import type { PauseScope, ScopedPause } from '../../backend.ts';
import type { Writer } from '../write/writer.ts';
import type { IndexDefinitions } from './index-definitions.ts';

/** Pauses of the whole store, of collections and of indexes [R6]. */
export class Pauses {
  readonly #writer: Writer;
  readonly #indexes: IndexDefinitions;

  constructor(writer: Writer, indexes: IndexDefinitions) {
    this.#writer = writer;
    this.#indexes = indexes;
  }

  list(): ScopedPause[] {
    const { paused, collections } = this.#writer.catalog;
    const found: ScopedPause[] = [];
    if (paused !== null) found.push({ scope: {}, pause: paused });
    for (const { name, paused: here, indexes } of collections.values()) {
      if (here !== null) found.push({ scope: { collection: name }, pause: here });
      for (const index of indexes) {
        if (index.paused !== null)
          found.push({ scope: { collection: name, index: index.name }, pause: index.paused });
      }
    }
    return found;
  }

  /**
   * Pauses or, with null, resumes an index, a collection or, without either, the store. Without effect, also on
   * `since`, if that is the state already. Throws COLLECTION_NOT_FOUND, TTL_INDEX_NOT_FOUND.
   */
  set({ collection, index }: PauseScope, pause: Pause | null, by: string): void {
    if (collection === undefined) this.#setStore(pause);
    else if (index === undefined) this.#setCollection(collection, pause);
    // A pause of an index is a change of its definition.
    else this.#indexes.pause(collection, index, pause, by);
  }

  #setStore(pause: Pause | null): void {
    if ((this.#writer.catalog.paused === null) === (pause === null)) return;
    this.#writer.transactOnFullDisk(transaction => {
      this.#writer.meta.set('paused', encode(pause));
      transaction.changesCatalog = true;
      for (const name of this.#writer.catalog.collections.keys()) transaction.collections.add(name);
      // Lag runs from the end of a pause [M1].
      if (pause === null) this.#writer.tables.resetLag(transaction.at, null);
    });
  }

  #setCollection(name: string, pause: Pause | null): void {
    const { catalog } = this.#writer.collection(name);
    if ((catalog.paused === null) === (pause === null)) return;
    this.#writer.transactOnFullDisk(transaction => {
      const { tables } = this.#writer;
      tables.collections.setPaused(catalog.id, encode(pause));
      if (pause === null) tables.resetLag(transaction.at, catalog.id);
      transaction.note({ collection: name, kind: 'definition', id: name });
    });
  }
}

function encode(pause: Pause | null): string | null {
  return pause === null ? null : JSON.stringify(pause);
}
