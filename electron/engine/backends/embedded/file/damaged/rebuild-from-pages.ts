import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import { createDocumentsTable } from '../../tables/documents/documents.ts';
import { migrate } from '../migrate.ts';
import { PageReader, type TableRow } from './page-records.ts';
import { type FoundPages, type FoundTree, scanPages } from './scanned-pages.ts';
import { type Shape, shapeOf } from './table-shapes.ts';

/** The tables beside those of documents, with their names. */
const FIXED = ['collections', 'dropped_collections', 'ttl_indexes', 'removals'] as const satisfies Shape[];

/**
 * Replaces a copy of a store without log, whose list of tables is damaged, by a new file with the rows that its pages have. What remains of the
 * list says to which collection a table of documents belongs; for the others the number of documents does, if it fits one collection
 * only. Documents of an unknown collection get a number of their own. A page that may have been deleted is left out.
 * Returns whether anything of a store was found. Throws CANCELLED.
 */
export async function rebuildFromPages(copy: string, signal: AbortSignal): Promise<boolean> {
  const rebuilt = `${copy}-rebuilt`;
  rmSync(rebuilt, { force: true });
  const file = openSync(copy, 'r');
  const db = new Sqlite(rebuilt);
  try {
    const reader = new PageReader(file, statSync(copy).size);
    const found = await scanPages(reader, signal);
    db.pragma('journal_mode = OFF');
    migrate(db);
    const rebuild = new Rebuild(db, reader, found);
    const isAny = db.transaction(() => rebuild.write())();
    db.close();
    if (isAny) renameSync(rebuilt, copy);
    return isAny;
  } finally {
    db.close();
    closeSync(file);
    rmSync(rebuilt, { force: true });
  }
}

class Rebuild {
  readonly #db: Database;
  readonly #reader: PageReader;
  readonly #found: FoundPages;
  /** Root by name of the table, from what remains of the list of tables. */
  readonly #named = new Map<string, number>();

  constructor(db: Database, reader: PageReader, found: FoundPages) {
    this.#db = db;
    this.#reader = reader;
    this.#found = found;
    for (const { shape, pages } of found.trees.values()) {
      if (shape !== 'schema') continue;
      for (const { values } of this.#rows(shape, pages)) {
        const [type, name, , root] = values;
        if (type === 'table' && typeof name === 'string' && typeof root === 'number')
          this.#named.set(name, root);
      }
    }
  }

  write(): boolean {
    const documents = [...this.#found.trees.values()].filter(({ shape }) => shape === 'documents');
    // A new store's values would be taken for those that are lost, the sweep's mark among them.
    this.#db.exec('DELETE FROM meta');
    const insert = this.#db.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)');
    for (const record of this.#found.meta) insert.run(...record);
    let rows = 0;
    for (const table of FIXED) rows += this.#copyRows(table, table, this.#fixedPages(table));
    for (const [number, trees] of this.#byCollection(documents)) {
      createDocumentsTable(this.#db, number);
      const pages = trees.flatMap(tree => tree.pages);
      rows += this.#copyRows(`documents_${number}`, 'documents', pages);
    }
    return rows > 0;
  }

  #fixedPages(table: (typeof FIXED)[number]): readonly number[] {
    const root = this.#named.get(table);
    const others = new Set(this.#named.values());
    const mayBe = (tree: FoundTree) =>
      tree.shape === table && (tree.root === root || (!others.has(tree.root) && this.#found.isUnusedKnown));
    return [...this.#found.trees.values()].filter(mayBe).flatMap(({ pages }) => pages);
  }

  /** Trees of documents by the number of their collection. */
  #byCollection(trees: readonly FoundTree[]): Map<number, FoundTree[]> {
    const byNumber = new Map<number, FoundTree[]>();
    const numberOf = new Map([...this.#named].map(([name, root]) => [root, documentsNumber(name)] as const));
    const unnamed: FoundTree[] = [];
    for (const tree of trees) {
      const number = numberOf.get(tree.root);
      if (number === undefined || number === null) unnamed.push(tree);
      else byNumber.set(number, [...(byNumber.get(number) ?? []), tree]);
    }
    const collections = this.#db
      .prepare<[], { id: number; documents: number }>(
        'SELECT id, documents FROM collections UNION SELECT id, documents FROM dropped_collections',
      )
      .all();
    const open = collections.filter(({ id }) => !this.#named.has(`documents_${id}`));
    const unknown = unnamed.filter(tree => {
      const count = this.#rows('documents', tree.pages).reduce(sum => sum + 1, 0);
      const fitting = open.filter(({ documents }) => documents === count);
      const [only] = fitting;
      if (only === undefined || fitting.length > 1 || byNumber.has(only.id)) return true;
      byNumber.set(only.id, [tree]);
      return false;
    });
    if (!this.#found.isUnusedKnown) return byNumber;
    const left = open.filter(({ id }) => !byNumber.has(id));
    const [last] = left;
    const groups = this.#disjoint(unknown);
    if (last !== undefined && left.length === 1 && groups.length === 1)
      return byNumber.set(last.id, groups.flat());
    let next = Math.max(0, ...collections.map(({ id }) => id), ...byNumber.keys());
    for (const group of groups) byNumber.set(++next, group);
    return byNumber;
  }

  /** Parts of one table have different row numbers: joins trees whose ranges of them do not overlap. */
  #disjoint(trees: readonly FoundTree[]): FoundTree[][] {
    const groups: { last: number; trees: FoundTree[] }[] = [];
    const ranges = trees
      .map(tree => {
        let [first, last] = [Number.POSITIVE_INFINITY, 0];
        for (const { row } of this.#rows('documents', tree.pages))
          [first, last] = [Math.min(first, row), Math.max(last, row)];
        return { tree, first, last };
      })
      .sort((a, b) => a.first - b.first);
    for (const { tree, first, last } of ranges) {
      const group = groups.find(one => one.last < first);
      if (group === undefined) groups.push({ last, trees: [tree] });
      else {
        group.last = last;
        group.trees.push(tree);
      }
    }
    return groups.map(group => group.trees);
  }

  /** Returns the number of rows. */
  #copyRows(table: string, shape: Shape, pages: readonly number[]): number {
    const columns = this.#db
      .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
      .pluck()
      .all(table);
    const statements = new Map<number, Statement>();
    let count = 0;
    for (const { row, values } of this.#rows(shape, pages)) {
      const given = values.slice(0, columns.length);
      let insert = statements.get(given.length);
      if (insert === undefined) {
        // Columns that a later format added are absent from records before it, and have their default.
        const names = columns.slice(0, given.length);
        insert = this.#db.prepare(
          `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        );
        statements.set(given.length, insert);
      }
      count += insert.run(row, ...given.slice(1)).changes;
    }
    return count;
  }

  *#rows(shape: Shape, pages: readonly number[]): Generator<TableRow> {
    for (const page of pages) {
      const read = this.#reader.read(page);
      if (read.kind !== 'rows') continue;
      for (const row of read.rows) if (shapeOf(row) === shape) yield row;
    }
  }
}

function documentsNumber(table: string): number | null {
  const [, number] = /^documents_(\d+)$/.exec(table) ?? [];
  return number === undefined ? null : Number(number);
}
