import { EXPLICIT } from '../../../../../../shared/model/ttl-index.ts';
import { ProtectedRows } from '../batches/protected-rows.ts';
import type { GovernedTable } from '../table-facts.ts';
import type { SkippedRow } from './explicit-batch.ts';

/** The due rows of a source that a foreign key protects. */
export interface ProtectedOfSource {
  readonly collection: string;
  /** Name of the index, or `explicit`. */
  readonly index: string;
  readonly rows: number;
  /** The server's reply to the removal of the last of them. */
  readonly reply: string;
}

interface OfSource {
  readonly table: GovernedTable;
  readonly name: string;
  readonly rows: ProtectedRows;
}

/** The protected rows of all sources, by the key of the source. */
export class KnownProtectedRows {
  readonly #elapsed: () => number;
  readonly #sources = new Map<string, OfSource>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Returns those of a source; a new one has none. */
  of(key: string, table: GovernedTable, name: string): ProtectedRows {
    const known = this.#sources.get(key);
    if (known !== undefined) return known.rows;
    const rows = new ProtectedRows(this.#elapsed);
    this.#sources.set(key, { table, name, rows });
    return rows;
  }

  /** Forgets the sources of all other definitions. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const [key, { name }] of this.#sources)
      if (name !== EXPLICIT && !keys.has(key)) this.#sources.delete(key);
  }

  /** Rows of a table are tried again now; null: of all tables. */
  retryNow(oid: number | null): void {
    for (const { table, rows } of this.#sources.values())
      if (oid === null || table.oid === oid) rows.retryNow();
  }

  /** Rows with explicit expirations that are not tried now. */
  get skippedExplicit(): SkippedRow[] {
    return [...this.#sources.values()]
      .filter(({ name }) => name === EXPLICIT)
      .flatMap(({ table: { oid }, rows }) => rows.skipped.map(key => ({ oid, key })));
  }

  get all(): ProtectedOfSource[] {
    return [...this.#sources.values()].flatMap(({ table: { collection }, name, rows: { found } }) =>
      found === null ? [] : [{ collection, index: name, ...found }],
    );
  }
}
