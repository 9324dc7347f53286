import Sqlite from 'better-sqlite3';

/** A deletion as `removals` records it. */
export interface DeletedEntry {
  readonly row: number;
  readonly id: string;
  /** Epoch ms. */
  readonly deadlineAt: number;
  /** 0: not restorable; RESTORED; absent: as its row says. */
  readonly keepUntilAt?: number | undefined;
}

/** A deletion that is to be recorded: an entry of an index table, with its document's `_id`. */
export interface NewDeletion {
  readonly row: number;
  readonly id: string;
  /** Epoch ms. */
  readonly reference: number;
  /** Size of the document. */
  readonly bytes: number;
  /** 0: not restorable; RESTORED; absent: as the others. */
  readonly keepUntilAt?: number | undefined;
}

/** Most deletions of one row, of characters of their `_id`s, and of bytes of their documents if these are copied. */
const MOST_DELETIONS = 256;
const MOST_ID_CHARACTERS = 64 * 1024;
const MOST_COPIED_BYTES = 256 * 1024;

/**
 * Offsets of the deadlines from that of the row, row numbers, `_id`s (null: erased [X4]), and by place the ends of retention
 * of those that were restored or purged.
 */
type Packed = [deadlines: number[], rows: number[], ids: (string | null)[], ends?: Record<string, number>];

/**
 * Divides deletions into parts, one for each row of `removals`, in their order. Parts whose documents are copied [X4] are
 * limited by their bytes, too: a row of `retained` has the copies of one part.
 */
export function* partsOf<Deletion extends NewDeletion>(
  deletions: readonly Deletion[],
  areCopied: boolean,
): Generator<readonly Deletion[]> {
  let from = 0;
  let characters = 0;
  let copied = 0;
  for (const [i, { id, bytes }] of deletions.entries()) {
    characters += id.length;
    copied += areCopied ? bytes : 0;
    const isFull =
      i - from === MOST_DELETIONS || characters > MOST_ID_CHARACTERS || copied > MOST_COPIED_BYTES;
    if (!isFull || i === from) continue;
    yield deletions.slice(from, i);
    from = i;
    characters = id.length;
    copied = areCopied ? bytes : 0;
  }
  if (from < deletions.length) yield from === 0 ? deletions : deletions.slice(from);
}

/** Returns the `packed` column of a row with several deletions, whose deadline is that of the first. */
export function packDeletions(deletions: readonly NewDeletion[]): string {
  const packed: Packed = [[], [], []];
  const first = deletions[0]?.reference ?? 0;
  let ends: Record<string, number> | undefined;
  for (const { row, id, reference, keepUntilAt } of deletions) {
    if (keepUntilAt !== undefined) ends = { ...ends, [packed[1].length]: keepUntilAt };
    packed[0].push(reference - first);
    packed[1].push(row);
    packed[2].push(id);
  }
  if (ends !== undefined) packed.push(ends);
  return JSON.stringify(packed);
}

/** Returns the deletions of a row from one place up to, but without, another; null: erased. */
export function unpackDeletions(
  packed: string,
  deadline: number,
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
): (DeletedEntry | null)[] {
  const [deadlines, rows, ids, ends] = parsed(packed);
  const deletions: (DeletedEntry | null)[] = [];
  for (let i = from; i < Math.min(to, ids.length); i += 1) {
    const id = ids[i] ?? null;
    const end = ends?.[i];
    deletions.push(
      id === null
        ? null
        : { row: rows[i] ?? 0, id, deadlineAt: deadline + (deadlines[i] ?? 0), keepUntilAt: end },
    );
  }
  return deletions;
}

/** Returns `packed` without the `_id`s at some places; null if no other is left. */
export function withoutIds(packed: string, places: readonly number[]): string | null {
  const [deadlines, rows, ids, ...ends] = parsed(packed);
  const left = [...ids];
  for (const place of places) left[place] = null;
  return left.every(id => id === null) ? null : JSON.stringify([deadlines, rows, left, ...ends]);
}

/** Returns `packed` with another end of retention at some places: 0 or RESTORED. What is restored stays so. */
export function withEnds(packed: string, places: readonly number[], keepUntilAt: number): string {
  const [deadlines, rows, ids, ends = {}] = parsed(packed);
  const changed = { ...ends };
  for (const place of places) changed[place] = Math.min(changed[place] ?? keepUntilAt, keepUntilAt);
  return JSON.stringify([deadlines, rows, ids, changed]);
}

/** SQL for the JSON array of the row numbers of a packed row, and for the JSON object of its ends of retention. */
export const PACKED_ROWS = `packed ->> '$[1]'`;
export const PACKED_ENDS = `packed ->> '$[3]'`;

/** Reads what `PACKED_ROWS` returns: the row numbers of so many deletions. */
export function unpackRows(rows: string, documents: number): number[] {
  const numbers = parseStored<number[]>(rows);
  if (numbers.length !== documents) throw damagedText();
  return numbers;
}

/** Reads what `PACKED_ENDS` returns: the places with an end of their own. */
export function unpackEndedPlaces(ends: string | null): ReadonlySet<number> {
  return new Set(ends === null ? [] : Object.keys(parseStored<object>(ends)).map(Number));
}

/**
 * Returns the row numbers that a damaged `packed` of so many deletions still has: all if another part is damaged. None if there
 * are too many, since a divided number is two numbers of other documents.
 */
export function salvagedRows(packed: string, documents: number): number[] {
  const [deadlines = '', text = ''] = packed.split('],[', 2);
  // Not the row numbers: a separator is damaged.
  if (/["[\]]/.test(text)) return [];
  const rows = text.split(',');
  if (rows.length > Math.max(documents, deadlines.split(',').length)) return [];
  return rows.filter(one => /^[1-9]\d{0,15}$/.test(one)).map(Number);
}

/** The error of a text that cannot be read: that of a damaged page, since the file is damaged as much. */
export function damagedText(): Error {
  return new Sqlite.SqliteError('a text of removals is malformed', 'SQLITE_CORRUPT');
}

function parsed(packed: string): Packed {
  const columns = parseStored<Packed>(packed);
  if (!Array.isArray(columns)) throw damagedText();
  const [deadlines, rows, ids] = columns.map(one => (Array.isArray(one) ? one.length : null));
  if (ids === null || deadlines !== ids || rows !== ids) throw damagedText();
  return columns;
}

/** Parses a JSON text that the store wrote. */
export function parseStored<Value>(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    throw damagedText();
  }
}
