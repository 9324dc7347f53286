import Sqlite, { type Database, type Statement } from 'better-sqlite3';

/** A table by the number of its rows, as far as it can be read. */
export interface ReadableTable<Row> {
  readonly table: string;
  /** The column with the number. */
  readonly key: string;
  readonly columns: string;
  readonly keyOf: (row: Row) => number;
  /** Only rows with a higher number; absent: 0. */
  readonly after?: number;
  /** Called if some rows may be missing. */
  readonly onDamage?: () => void;
}

/** Rows that are read at once. */
const PAGE = 200;

/**
 * Numbers of rows, one after the other, that cannot be looked up before larger steps are taken; fewer once so many in all
 * could not be. The last page of a table covers all higher numbers.
 */
const MOST_UNREADABLE = 10_000;
const LEAST_UNREADABLE = 1_000;
const PATIENCE = 100_000;

/**
 * Returns each row of a table that can be read: from the first on up to a damaged page, from the last on down to one, and
 * between the two by the number of each row.
 */
export function* rowsOf<Row>(db: Database, given: ReadableTable<Row>): Generator<Row> {
  const { table, key, columns, after: start = 0 } = given;
  const first = yield* readOn(db, given, 'ASC', start);
  if (first.isWhole) return;
  given.onDamage?.();
  const last = yield* readOn(db, given, 'DESC', first.row);
  const one = attempt(() => db.prepare<[number], Row>(`SELECT ${columns} FROM ${table} WHERE ${key} = ?`));
  const after = attempt(() =>
    db
      .prepare<[number], number>(`SELECT ${key} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`)
      .pluck(),
  );
  if (one === null || after === null) return;
  let patience = PATIENCE;
  let unreadable = 0;
  for (let row = first.row + 1; row < last.row; row++) {
    const found = attempt(() => one.get(row) ?? 'none');
    // A gap between the numbers of rows may be large.
    const next = found === 'none' ? attempt(() => after.get(row) ?? last.row) : null;
    if (found !== null && found !== 'none') yield found;
    if (next !== null) row = Math.max(row, next - 1);
    if (next !== null || (found !== null && found !== 'none')) {
      unreadable = 0;
      continue;
    }
    unreadable += 1;
    patience -= 1;
    if (unreadable < Math.max(LEAST_UNREADABLE, Math.min(MOST_UNREADABLE, patience))) continue;
    const readable = nextReadable(number => attempt(() => one.get(number) ?? 'none') !== null, row, last.row);
    if (readable === null) return;
    row = readable - 1;
    unreadable = 0;
  }
}

/**
 * Returns about the first number above `from` and below `end` that can be looked up, after a run that cannot, in few steps:
 * a damaged page may cover any number of them. Null if none is found.
 */
function nextReadable(isReadable: (row: number) => boolean, from: number, end: number): number | null {
  let low = from;
  let high = from;
  for (let step = 1; high === from || !isReadable(high); step *= 2) {
    if (high >= end - 1) return null;
    low = high;
    high = Math.min(from + step, end - 1);
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (isReadable(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Reads in one order, from a row on; returns the number of the last row that was read, and whether there was no damage. */
function* readOn<Row>(
  db: Database,
  { table, key, columns, keyOf }: ReadableTable<Row>,
  order: 'ASC' | 'DESC',
  from: number,
): Generator<Row, { row: number; isWhole: boolean }> {
  const [compare, end] = order === 'ASC' ? ['>', 0] : ['<', Number.MAX_SAFE_INTEGER];
  let row = order === 'ASC' ? from : end;
  const statement = attempt(
    (): Statement<[number, number, number], Row> =>
      db.prepare(
        `SELECT ${columns} FROM ${table} WHERE ${key} ${compare} ? AND ${key} > ? ORDER BY ${key} ${order} LIMIT ?`,
      ),
  );
  if (statement === null) return { row, isWhole: false };
  for (;;) {
    const page: Row[] = [];
    const isWhole = attempt(() => {
      for (const found of statement.iterate(row, from, PAGE)) page.push(found);
      return true;
    });
    yield* page;
    const last = page.at(-1);
    const reached = last === undefined ? row : keyOf(last);
    // A page in the place of another could be read again and again.
    if (last !== undefined && (order === 'ASC' ? reached <= row : reached >= row))
      return { row, isWhole: false };
    row = reached;
    if (isWhole === null) return { row, isWhole: false };
    if (page.length < PAGE) return { row: order === 'ASC' ? row : from, isWhole: true };
  }
}

/** Whether a part of the file cannot be read: it is damaged, its disk fails, or a table or column of it is lost. */
export function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Sqlite.SqliteError)) return false;
  return /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR)/.test(error.code);
}

/** Returns null if a damaged part of the file, or of a text in it, prevents it. */
export function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error) || !(error instanceof Sqlite.SqliteError)) return null;
    throw error;
  }
}

/** Returns the rows before the first that cannot be read. */
export function readable<Found>(db: Database, sql: string): Found[] {
  const rows: Found[] = [];
  attempt(() => {
    for (const row of db.prepare<[], Found>(sql).iterate()) rows.push(row);
  });
  return rows;
}
