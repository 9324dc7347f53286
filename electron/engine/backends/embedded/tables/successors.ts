import type { Database, Statement } from 'better-sqlite3';
import { READING_RULES_VERSION } from '../../../../../shared/model/reading-rules.ts';

interface NewSuccessorRow {
  /** `ttl_indexes.id`. */
  source: number;
  /** In the format of `ttl_indexes.definition`. */
  definition: string;
  side: number;
  by: string;
  /** Epoch ms. */
  at: number;
  change: 'change' | 'revert';
  expected: boolean;
}

/** The `successors` table: definitions of indexes that are built beside the present ones [D8]. */
export class SuccessorsTable {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  insert({ expected, ...successor }: NewSuccessorRow): void {
    this.#sql.insert.run({ ...successor, expected: expected ? 1 : 0 });
  }

  setDefinition(source: number, definition: string): void {
    this.#sql.setDefinition.run(definition, source);
  }

  /** Records that rows up to `throughRow` have entries in its index table; null: all rows. */
  setBuilt(source: number, throughRow: number | null): void {
    this.#sql.setBuilt.run(throughRow, source);
  }

  /** Restarts a build, by the present reading rules. */
  restart(source: number): void {
    this.#sql.restart.run(source);
  }

  delete(source: number): void {
    this.#sql.delete.run(source);
  }
}

function prepare(db: Database) {
  const insert: Statement<[Omit<NewSuccessorRow, 'expected'> & { expected: number }]> = db.prepare(
    `INSERT INTO successors (source, definition, side, built_through_row, by, since, change, expected, rules)
     VALUES (@source, @definition, @side, 0, @by, @at, @change, @expected, ${READING_RULES_VERSION})`,
  );
  return {
    insert,
    setDefinition: db.prepare<[string, number]>('UPDATE successors SET definition = ? WHERE source = ?'),
    setBuilt: db.prepare<[number | null, number]>(
      'UPDATE successors SET built_through_row = ? WHERE source = ?',
    ),
    restart: db.prepare<[number]>(
      `UPDATE successors SET built_through_row = 0, rules = ${READING_RULES_VERSION} WHERE source = ?`,
    ),
    delete: db.prepare<[number]>('DELETE FROM successors WHERE source = ?'),
  };
}
