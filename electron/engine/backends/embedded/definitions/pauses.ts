import type { Pause } from '../../../../../shared/model/ttl-index.ts';
import type { Statement } from '../file/database.ts';
import type { Writer } from '../write/writer.ts';

/** Pauses of the whole store and of collections [R6]; one of an index is a change of its definition. */
export class Pauses {
  readonly #writer: Writer;
  readonly #sql;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#sql = prepare(writer);
  }

  /** Pauses or, with null, resumes; what is so already stays as it was, with its since. */
  setStore(pause: Pause | null): void {
    if ((this.#writer.catalog.paused === null) === (pause === null)) return;
    this.#writer.transactOnFullDisk(transaction => {
      this.#sql.pauseStore.run(encode(pause));
      transaction.changesCatalog = true;
      for (const name of this.#writer.catalog.collections.keys()) transaction.collections.add(name);
      if (pause === null) this.#resumed(transaction.at, null);
    });
  }

  /** Throws COLLECTION_NOT_FOUND. */
  setCollection(name: string, pause: Pause | null): void {
    const { catalog } = this.#writer.collection(name);
    if ((catalog.paused === null) === (pause === null)) return;
    this.#writer.transactOnFullDisk(transaction => {
      this.#sql.pauseCollection.run(encode(pause), catalog.id);
      if (pause === null) this.#resumed(transaction.at, catalog.id);
      transaction.note({ collection: name, kind: 'definition', id: name });
    });
  }

  /** Lag runs from the end of a pause, of one collection or, with null, of all [M1]. */
  #resumed(at: number, collection: number | null): void {
    this.#sql.touchIndexes.run({ at, collection });
    this.#sql.touchCollections.run({ at, collection });
  }
}

function encode(pause: Pause | null): string | null {
  return pause === null ? null : JSON.stringify(pause);
}

function prepare({ db }: Writer) {
  const touchIndexes: Statement<[{ at: number; collection: number | null }]> = db.prepare(
    `UPDATE ttl_indexes SET effective = @at
     WHERE dropped_at IS NULL AND (@collection IS NULL OR collection = @collection)`,
  );
  return {
    touchIndexes,
    pauseStore: db.prepare<[string | null]>(`UPDATE meta SET value = ? WHERE key = 'paused'`),
    pauseCollection: db.prepare<[string | null, number]>('UPDATE collections SET paused = ? WHERE id = ?'),
    touchCollections: db.prepare<[{ at: number; collection: number | null }]>(
      'UPDATE collections SET resumed_at = @at WHERE @collection IS NULL OR id = @collection',
    ),
  };
}
