import type { Database, Statement } from './database.ts';
import { COUNT_LEVELS, SECOND } from './levels.ts';
import { type Entry, REASONS, type Tally } from './side-entry.ts';
import { SideTableReader } from './side-table-reader.ts';

/** Reading and writing one side table, on the writer's connection. */
export class SideTable extends SideTableReader {
  readonly #insert: Statement<[number, number, number]>;
  readonly #delete: Statement<[number, number]>;
  readonly #cut: Statement<[number, number]>;
  readonly #count: Statement<[number, number, number, number]>;
  readonly #dropEmpty: Statement<[number, number]>;
  readonly #dropBelow: Statement<[number, number]>;
  /** Not yet flushed: documents and bytes per second or reason. */
  readonly #pending = new Map<number, Tally>();

  constructor(db: Database, number: number) {
    super(db, number);
    this.#insert = db.prepare(`INSERT INTO entries_${number} VALUES (?, ?, ?)`);
    this.#delete = db.prepare(`DELETE FROM entries_${number} WHERE reference = ? AND row = ?`);
    this.#cut = db.prepare(
      `DELETE FROM entries_${number} WHERE reference >= 0 AND (reference, row) <= (?, ?)`,
    );
    this.#count = db.prepare(
      `INSERT INTO counts_${number} VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET documents = documents + excluded.documents, bytes = bytes + excluded.bytes`,
    );
    this.#dropEmpty = db.prepare(
      `DELETE FROM counts_${number} WHERE level = ? AND bucket = ? AND documents = 0`,
    );
    this.#dropBelow = db.prepare(
      `DELETE FROM counts_${number} WHERE level = ? AND bucket >= 0 AND bucket < ?`,
    );
  }

  add(reference: number, row: number, bytes: number): void {
    this.#insert.run(reference, row, bytes);
    this.#change(reference, 1, bytes);
  }

  remove(reference: number, row: number, bytes: number): void {
    if (this.#delete.run(reference, row).changes === 1) this.#change(reference, -1, -bytes);
  }

  /**
   * Removes every entry up to and including `last`, `removed` being exactly those. In deadline order nothing is
   * left below, so the counts below go as a range and only the last second is changed.
   */
  cut(removed: readonly Entry[]): void {
    const last = removed.at(-1);
    if (last === undefined) return;
    // What is still gathered is of buckets that are about to go.
    this.flushCounts();
    this.#cut.run(last.reference, last.row);
    for (let level = 0; level < COUNT_LEVELS.length; level++) {
      const width = COUNT_LEVELS[level] ?? SECOND;
      const bucket = Math.floor(last.reference / width);
      this.#dropBelow.run(level, bucket);
      let documents = 0;
      let bytes = 0;
      for (let i = removed.length - 1; i >= 0; i--) {
        const entry = removed[i];
        if (entry === undefined || entry.reference < bucket * width) break;
        documents += 1;
        bytes += entry.bytes;
      }
      this.#applyCount(level, bucket, -documents, -bytes);
    }
  }

  /** Writes the gathered counts; call before the transaction commits. */
  flushCounts(): void {
    if (this.#pending.size === 0) return;
    const levels = COUNT_LEVELS.map(() => new Map<number, Tally>());
    for (const [key, change] of this.#pending) {
      if (key < 0) this.#applyCount(REASONS, key, change.documents, change.bytes);
      else
        for (const [level, width] of COUNT_LEVELS.entries()) {
          addTo(
            levels[level] ?? new Map(),
            Math.floor((key * SECOND) / width),
            change.documents,
            change.bytes,
          );
        }
    }
    for (const [level, changes] of levels.entries()) {
      for (const [bucket, change] of changes) this.#applyCount(level, bucket, change.documents, change.bytes);
    }
    this.#pending.clear();
  }

  #change(reference: number, documents: number, bytes: number): void {
    addTo(this.#pending, reference < 0 ? reference : Math.floor(reference / SECOND), documents, bytes);
  }

  #applyCount(level: number, bucket: number, documents: number, bytes: number): void {
    if (documents === 0 && bytes === 0) return;
    this.#count.run(level, bucket, documents, bytes);
    if (documents < 0) this.#dropEmpty.run(level, bucket);
  }
}

function addTo(map: Map<number, Tally>, key: number, documents: number, bytes: number): void {
  const tally = map.get(key);
  if (tally === undefined) map.set(key, { documents, bytes });
  else {
    tally.documents += documents;
    tally.bytes += bytes;
  }
}
