import { SandglassError } from '../../../../../shared/model/errors.ts';
import { NEVER_REASONS, type NeverReason } from '../../../../../shared/model/reference-time.ts';
import {
  type CatalogCollection,
  type CatalogIndex,
  deadlineSources,
  EXPLICIT_SOURCE,
} from '../tables/catalog.ts';
import { type Entry, encodeReason } from '../tables/side-entry.ts';
import type { Reader } from './reader.ts';

/** A row that may belong on a page, and where the next page goes on after it. */
export type Candidate =
  | { kind: 'id'; id: string; row: number }
  | { kind: 'deadline'; at: number; source: number; from: string; row: number }
  | { kind: 'never'; table: number; reference: number; row: number }
  | { kind: 'updated'; at: number; row: number }
  | { kind: 'reason'; row: number };

type Cursor =
  | { kind: 'id'; id: string }
  | { kind: 'deadline'; at: number; source: number; row: number }
  | { kind: 'never'; table: number; reference: number; row: number }
  | { kind: 'updated'; at: number; row: number }
  | { kind: 'reason'; row: number };

const ENTRIES_A_READ = 128;
/** Stands for the table of rows that are in no side table. */
const NO_TABLE = -1;

export function encodeCursor(candidate: Candidate): string {
  return Buffer.from(JSON.stringify(cursorOf(candidate))).toString('base64url');
}

function cursorOf(candidate: Candidate): readonly (string | number)[] {
  switch (candidate.kind) {
    case 'id':
      return ['i', candidate.id];
    case 'deadline':
      return ['d', candidate.at, candidate.source, candidate.row];
    case 'never':
      return ['n', candidate.table, candidate.reference, candidate.row];
    case 'updated':
      return ['u', candidate.at, candidate.row];
    case 'reason':
      return ['r', candidate.row];
  }
}

/** Throws BAD_REQUEST for text that is no cursor of ours. */
export function decodeCursor(text: string): Cursor {
  try {
    const [kind, ...rest]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [a, b, c] = rest;
    if (kind === 'i' && typeof a === 'string') return { kind: 'id', id: a };
    if (kind === 'r' && typeof a === 'number') return { kind: 'reason', row: a };
    if (kind === 'u' && typeof a === 'number' && typeof b === 'number')
      return { kind: 'updated', at: a, row: b };
    if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number') {
      if (kind === 'd') return { kind: 'deadline', at: a, source: b, row: c };
      if (kind === 'n') return { kind: 'never', table: a, reference: b, row: c };
    }
  } catch {
    // Falls through to the error below: not base64, or not JSON.
  }
  throw new SandglassError('BAD_REQUEST', '`after` takes what a page gave as `next`, unchanged.', {
    after: text,
  });
}

/** All documents by `_id`, from `startAt` on where no page went before. */
export function* candidatesById(
  reader: Reader,
  collection: CatalogCollection,
  { order, startAt }: { order: 'asc' | 'desc'; startAt?: string | undefined },
  after: Cursor | null,
): Generator<Candidate> {
  const [beyond, direction] = order === 'asc' ? ['>', ''] : ['<', 'DESC'];
  const from = after?.kind === 'id' ? after.id : (startAt ?? null);
  const compare = after?.kind === 'id' ? beyond : `${beyond}=`;
  const where = from === null ? '' : `WHERE id ${compare} ?`;
  const keys = reader.db.prepare<string[], { id: string; row: number }>(
    `SELECT id, row FROM keys_${collection.id} ${where} ORDER BY id ${direction}`,
  );
  for (const { id, row } of keys.iterate(...(from === null ? [] : [from]))) yield { kind: 'id', id, row };
}

/** No instant is later than this. */
const ANY_MOMENT = Number.MAX_SAFE_INTEGER;
/** No reason is written as a number below this, and rows without any index are met in this place. */
const ANY_REASON = Number.MIN_SAFE_INTEGER;

/**
 * Those without a deadline: pinned ones, then those of one index, since whoever has no deadline has none from it.
 * The caller drops those to whom another index gives one.
 */
export function* candidatesWithoutDeadline(
  reader: Reader,
  collection: CatalogCollection,
  after: Cursor | null,
): Generator<Candidate> {
  const start = after?.kind === 'never' ? after : null;
  // One that only observes gives nobody a deadline.
  const index = collection.indexes.find(candidate => candidate.isServing);
  const tables = [collection.explicit, ...(index === undefined ? [] : [index.side])];
  for (const table of start === null
    ? tables
    : tables.slice(start.table === NO_TABLE ? tables.length : Math.max(0, tables.indexOf(start.table)))) {
    let at = start?.table === table ? start : null;
    for (;;) {
      const entries = reader.table(table).entries(ANY_REASON, 0, at, ENTRIES_A_READ);
      for (const { reference, row } of entries) yield { kind: 'never', table, reference, row };
      const last = entries.at(-1);
      if (last === undefined || entries.length < ENTRIES_A_READ) break;
      at = { kind: 'never', table, ...last };
    }
  }
  if (index === undefined) yield* rowsInNoTable(reader, collection, start);
}

/** Those that some rule has given up on, each where the first of them did [A5]. */
export function* candidatesInQuarantine(
  reader: Reader,
  collection: CatalogCollection,
  after: Cursor | null,
): Generator<Candidate> {
  const reference = encodeReason('quarantined');
  const start = after?.kind === 'never' ? after : null;
  const sources = [
    { id: EXPLICIT_SOURCE, table: collection.explicit },
    ...collection.indexes.map(({ id, side }) => ({ id, table: side })),
  ];
  const first = start === null ? 0 : sources.findIndex(({ table }) => table === start.table);
  for (const { id, table } of sources.slice(Math.max(0, first))) {
    let row = start?.table === table ? start.row : null;
    for (;;) {
      const entries = reader.table(table).entriesOfReason('quarantined', row, ENTRIES_A_READ);
      for (const entry of entries) {
        const givenUpBy = reader.quarantine.of(collection.id, entry.row).map(({ source }) => source);
        if (Math.min(...givenUpBy) === id) yield { kind: 'never', table, reference, row: entry.row };
      }
      if (entries.length < ENTRIES_A_READ) break;
      row = entries.at(-1)?.row ?? row;
    }
  }
}

/** Without an index no side table names a document: all rows, of which the caller drops those with a deadline or a pin. */
function* rowsInNoTable(
  reader: Reader,
  collection: CatalogCollection,
  start: { table: number; row: number } | null,
): Generator<Candidate> {
  const rows = reader.db
    .prepare<[number], number>(
      `SELECT row FROM documents_${collection.id} WHERE row > ? AND explicit_at IS NULL ORDER BY row`,
    )
    .pluck();
  const after = start?.table === NO_TABLE ? start.row : -1;
  for (const row of rows.iterate(after)) yield { kind: 'never', table: NO_TABLE, reference: ANY_REASON, row };
}

/** Those that one index (null: explicit) gives no deadline, for one reason. */
export function* candidatesByReason(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex | null,
  text: string,
  after: Cursor | null,
): Generator<Candidate> {
  const reason: NeverReason | undefined = NEVER_REASONS.find(candidate => candidate === text);
  if (reason === undefined) {
    throw new SandglassError('BAD_REQUEST', `“${text}” is no reason; one of: ${NEVER_REASONS.join(', ')}.`, {
      reason: text,
    });
  }
  const byHand = reason === 'pinned' || reason === 'set by hand';
  const side = reader.table(index === null || byHand ? collection.explicit : index.side);
  if (reason === 'set by hand') {
    const [explicit] = deadlineSources(collection);
    const start = after?.kind === 'deadline' ? after : null;
    const everything = { from: 0, to: Number.MAX_SAFE_INTEGER, order: 'asc' as const, start };
    if (explicit !== undefined && after?.kind !== 'reason') yield* oneSource(reader, explicit, everything);
  }
  // Those whose expiration by hand was given up on are still set by hand.
  const counted = reason === 'set by hand' ? 'quarantined' : reason;
  let row = after?.kind === 'reason' ? after.row : -1;
  for (;;) {
    const entries = side.entriesOfReason(counted, row, ENTRIES_A_READ);
    for (const entry of entries) yield { kind: 'reason', row: entry.row };
    if (entries.length < ENTRIES_A_READ) return;
    row = entries.at(-1)?.row ?? row;
  }
}

export interface DeadlineOrder {
  /** Span of deadlines, [from, to). */
  from: number;
  to: number;
  order: 'asc' | 'desc';
  after: Cursor | null;
  /** After all of them those without a deadline. */
  withNever: boolean;
}

/** Documents by deadline: the side tables, each already in order, merged. */
export function* candidatesByDeadline(
  reader: Reader,
  collection: CatalogCollection,
  { from, to, order, after, withNever }: DeadlineOrder,
): Generator<Candidate> {
  if (after?.kind !== 'never') {
    const start = after?.kind === 'deadline' ? after : null;
    const streams = deadlineSources(collection).map(source =>
      oneSource(reader, source, { from, to, order, start }),
    );
    yield* merge(streams, order, (a, b) => a.at - b.at || a.source - b.source);
  }
  if (withNever) yield* candidatesWithoutDeadline(reader, collection, after);
}

type UpdatedCandidate = Extract<Candidate, { kind: 'updated' }>;

/**
 * All documents by their last write: in the order of a lastModified index, and between those the ones that are in no
 * such order, since they have an expiration of their own or the index has given up on them.
 */
export function* candidatesByUpdate(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex,
  order: 'asc' | 'desc',
  after: Cursor | null,
): Generator<Candidate> {
  const forward = order === 'asc';
  const [compare, direction] = forward ? ['>', ''] : ['<', 'DESC'];
  const first = forward ? { at: 0, row: -1 } : { at: ANY_MOMENT, row: ANY_MOMENT };
  const start = after?.kind === 'updated' ? after : first;
  // One bound on each side, or SQLite begins at the looser one.
  const otherBound = forward ? '' : 'reference >= 0 AND';
  const page = (sql: string) => {
    const rows = reader.db.prepare<[number, number, number], { at: number; row: number }>(sql);
    return updates(({ at, row }) => rows.all(at, row, ENTRIES_A_READ), start);
  };
  const elsewhere = (table: number, most: number) =>
    page(`SELECT d.updated_at AS at, d.row FROM entries_${table} AS e
          CROSS JOIN documents_${collection.id} AS d ON d.row = e.row
          WHERE e.reference < ${most} AND (d.updated_at, d.row) ${compare} (?, ?)
          ORDER BY d.updated_at ${direction}, d.row ${direction} LIMIT ?`);
  const streams = [
    page(`SELECT reference AS at, row FROM entries_${index.side}
          WHERE ${otherBound} (reference, row) ${compare} (?, ?)
          ORDER BY reference ${direction}, row ${direction} LIMIT ?`),
    elsewhere(index.side, 0),
    elsewhere(collection.explicit, ANY_MOMENT),
  ];
  yield* merge(streams, order, (a, b) => a.at - b.at || a.row - b.row);
}

function* updates(
  read: (after: { at: number; row: number }) => { at: number; row: number }[],
  start: { at: number; row: number },
): Generator<UpdatedCandidate> {
  let after = start;
  for (;;) {
    const rows = read(after);
    for (const { at, row } of rows) yield { kind: 'updated', at, row };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ENTRIES_A_READ) return;
    after = last;
  }
}

type DeadlineCandidate = Extract<Candidate, { kind: 'deadline' }>;

function* oneSource(
  reader: Reader,
  source: { id: number; name: string; table: number; addMs: number },
  span: {
    from: number;
    to: number;
    order: 'asc' | 'desc';
    start: Extract<Cursor, { kind: 'deadline' }> | null;
  },
): Generator<DeadlineCandidate> {
  const side = reader.table(source.table);
  const from = Math.max(0, span.from - source.addMs);
  const to = span.to - source.addMs;
  const forward = span.order === 'asc';
  let after = startOf(source, span.start, forward);
  for (;;) {
    const entries: Entry[] = forward
      ? side.entries(from, to, after, ENTRIES_A_READ)
      : side.entriesBackwards(from, to, after, ENTRIES_A_READ);
    for (const { reference, row } of entries) {
      yield { kind: 'deadline', at: reference + source.addMs, source: source.id, from: source.name, row };
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < ENTRIES_A_READ) return;
    after = last;
  }
}

/** Equal deadlines are ordered by source, so a source before the cursor's starts behind that instant, a later one at it. */
function startOf(
  source: { id: number; addMs: number },
  start: { at: number; source: number; row: number } | null,
  forward: boolean,
): { reference: number; row: number } | null {
  if (start === null) return null;
  const reference = start.at - source.addMs;
  if (source.id === start.source) return { reference, row: start.row };
  const isPassed = forward ? source.id < start.source : source.id > start.source;
  const behind = forward === isPassed ? Number.MAX_SAFE_INTEGER : -1;
  return { reference, row: behind };
}

function* merge<Item extends Candidate>(
  streams: Generator<Item>[],
  order: 'asc' | 'desc',
  compare: (a: Item, b: Item) => number,
): Generator<Item> {
  const sign = order === 'asc' ? 1 : -1;
  const heads = streams.map(stream => stream.next());
  for (;;) {
    let first = -1;
    let best: Item | null = null;
    for (const [i, head] of heads.entries()) {
      if (head.done === true) continue;
      const candidate = head.value;
      const isEarlier = best === null || sign * compare(candidate, best) < 0;
      if (isEarlier) {
        best = candidate;
        first = i;
      }
    }
    const stream = streams[first];
    if (best === null || stream === undefined) return;
    yield best;
    heads[first] = stream.next();
  }
}
