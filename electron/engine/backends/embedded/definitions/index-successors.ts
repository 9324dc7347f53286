import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';
import type { TtlIndexDefinition } from '../../../../../shared/model/ttl-index.ts';
import type { Statement } from '../file/database.ts';
import type { CatalogIndex, CatalogSuccessor } from '../tables/catalog.ts';
import { createSideTable, dropSideTable, emptySideTable } from '../tables/dynamic-tables.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';

export interface NewSuccessor {
  /** As `ttl_indexes.definition` has it. */
  definition: string;
  by: string;
  change: 'change' | 'revert';
  /** Somebody saw what it makes due: the breaker lets it through [R8]. */
  expected: boolean;
}

/**
 * The `successors` table: a definition of an index that reads documents otherwise, and its own side table, which is built
 * beside the present one [D8]. Until the swap the present definition is in effect and every write keeps both tables. Every call
 * is made inside a transaction of the caller.
 *
 * An index that is renewed for another version of the reading rules has no successor (index-renewal.ts): its present entries
 * cannot be kept true any more, so nothing could stay in effect beside the build.
 */
export class Successors {
  readonly #writer: Writer;
  readonly #sql;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#sql = prepare(writer);
  }

  /** Begins to build one, in place of the one that the index may have. */
  begin({ at }: Transaction, index: CatalogIndex, successor: NewSuccessor): void {
    this.drop(index);
    const { definition, by, change, expected } = successor;
    const side = createSideTable(this.#writer.db);
    this.#sql.insert.run(index.id, definition, side, by, at, change, expected ? 1 : 0);
  }

  /** The same source with other properties. */
  redefine(index: CatalogIndex, definition: string): void {
    this.#sql.redefine.run(definition, index.id);
  }

  noteBuilt({ source }: CatalogSuccessor, throughRow: number): void {
    this.#sql.setBuilt.run(throughRow, source);
  }

  finish({ source }: CatalogSuccessor): void {
    this.#sql.setBuilt.run(null, source);
  }

  /** Its entries were made by other reading rules: it is built from the beginning. */
  restart({ source, side }: CatalogSuccessor): void {
    emptySideTable(this.#writer.db, side);
    this.#sql.restart.run(source);
  }

  /** The index reads by its successor from here on: its former table is dropped, and it has given up on no document. */
  swap(transaction: Transaction, name: string, index: CatalogIndex, successor: CatalogSuccessor): void {
    const collection = this.#writer.collection(name);
    collection.flush();
    for (const row of collection.forgetGivenUp(index)) transaction.touch(name, row);
    dropSideTable(this.#writer.db, index.side);
    if (index.governed !== null) dropSideTable(this.#writer.db, index.governed);
    this.#sql.swap.run(successor.side, index.id);
    this.#sql.remove.run(index.id);
  }

  /** The index stays as it is, or is dropped itself. */
  drop({ id, successor }: CatalogIndex): void {
    if (successor === null) return;
    dropSideTable(this.#writer.db, successor.side);
    this.#sql.remove.run(id);
  }
}

/** The properties of `after` that differ from `before`, on top of `other`: a change made while a successor is built is of both. */
export function carriedOver(
  before: TtlIndexDefinition,
  after: TtlIndexDefinition,
  other: TtlIndexDefinition,
): TtlIndexDefinition {
  const isChanged = (name: keyof TtlIndexDefinition) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return {
    ...other,
    ...(isChanged('onExpire') && { onExpire: after.onExpire }),
    ...(isChanged('schedule') && { schedule: after.schedule }),
    ...(isChanged('limits') && { limits: after.limits }),
    ...(isChanged('retention') && { retention: after.retention }),
  };
}

function prepare({ db }: Writer) {
  const insert: Statement<[number, string, number, string, number, string, number]> = db.prepare(
    `INSERT INTO successors (source, definition, side, built, by, since, change, expected, rules)
     VALUES (?, ?, ?, 0, ?, ?, ?, ?, ${READING_RULES_VERSION})`,
  );
  return {
    insert,
    redefine: db.prepare<[string, number]>('UPDATE successors SET definition = ? WHERE source = ?'),
    setBuilt: db.prepare<[number | null, number]>('UPDATE successors SET built = ? WHERE source = ?'),
    restart: db.prepare<[number]>(
      `UPDATE successors SET built = 0, rules = ${READING_RULES_VERSION} WHERE source = ?`,
    ),
    swap: db.prepare<[number, number]>('UPDATE ttl_indexes SET side = ?, governed = NULL WHERE id = ?'),
    remove: db.prepare<[number]>('DELETE FROM successors WHERE source = ?'),
  };
}
