import type { Pause } from '../../../../../shared/model/ttl-index.ts';
import type { Writer } from '../write/writer.ts';

/** Pauses of the whole store and of collections [R6]; one of an index is a change of its definition. */
export class Pauses {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Pauses or, with null, resumes. If the store already is so, nothing changes, nor does `since`. */
  setStore(pause: Pause | null): void {
    if ((this.#writer.catalog.paused === null) === (pause === null)) return;
    this.#writer.transactOnFullDisk(transaction => {
      this.#writer.meta.set('paused', encode(pause));
      transaction.changesCatalog = true;
      for (const name of this.#writer.catalog.collections.keys()) transaction.collections.add(name);
      // Lag runs from the end of a pause [M1].
      if (pause === null) this.#writer.tables.resetLag(transaction.at, null);
    });
  }

  /** Throws COLLECTION_NOT_FOUND. */
  setCollection(name: string, pause: Pause | null): void {
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
