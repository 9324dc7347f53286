import { SandglassError } from '../../../../../shared/model/errors.ts';
import { NEVER_REASONS, type NeverReason } from '../../../../../shared/model/reference-time.ts';
import { type Entry, encodeReason } from '../../../deadline-index/index-entry.ts';
import { type CatalogCollection, deadlineSources, EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import type { ReadConnection } from './read-connection.ts';

/** A row that may belong on a page, with the position after which the next page starts. */
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

const ENTRIES_PER_READ = 128;
/** Placeholder for the rows that are in no index table. */
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

/** Throws BAD_REQUEST if the text is not a cursor made by `encodeCursor`. */
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
    // The text is not base64 or not JSON: the error is thrown below.
  }
  throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', {
    after: text,
  });
}

/** Returns all documents by `_id`, on the first page from `startAt`. */
export function* candidatesById(
  reader: ReadConnection,
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

/** Later than any instant. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;
/** Below every number that encodes a reason. Position of rows when there is no index. */
const ANY_REASON = Number.MIN_SAFE_INTEGER;

/**
 * Returns candidates without a deadline: pinned documents, then those to which one index gives no deadline. The caller
 * drops documents that have a deadline from another index.
 */
export function* candidatesWithoutDeadline(
  reader: ReadConnection,
  collection: CatalogCollection,
  after: Cursor | null,
): Generator<Candidate> {
  const start = after?.kind === 'never' ? after : null;
  // An index that only observes gives no deadline.
  const index = collection.indexes.find(candidate => candidate.isServing);
  const tables = [collection.explicit, ...(index === undefined ? [] : [index.table])];
  for (const table of start === null
    ? tables
    : tables.slice(start.table === NO_TABLE ? tables.length : Math.max(0, tables.indexOf(start.table)))) {
    let at = start?.table === table ? start : null;
    for (;;) {
      const entries = reader.table(table).entries(ANY_REASON, 0, at, ENTRIES_PER_READ);
      for (const { reference, row } of entries) yield { kind: 'never', table, reference, row };
      const last = entries.at(-1);
      if (last === undefined || entries.length < ENTRIES_PER_READ) break;
      at = { kind: 'never', table, ...last };
    }
  }
  if (index === undefined) yield* rowsInNoTable(reader, collection, start);
}

/** Returns quarantined documents, each under the first rule that quarantined it [A5]. */
export function* candidatesInQuarantine(
  reader: ReadConnection,
  collection: CatalogCollection,
  after: Cursor | null,
): Generator<Candidate> {
  const reference = encodeReason('quarantined');
  const start = after?.kind === 'never' ? after : null;
  const sources = [
    { id: EXPLICIT_SOURCE, table: collection.explicit },
    ...collection.indexes.map(({ id, table }) => ({ id, table })),
  ];
  const first = start === null ? 0 : sources.findIndex(({ table }) => table === start.table);
  for (const { id, table } of sources.slice(Math.max(0, first))) {
    let row = start?.table === table ? start.row : null;
    for (;;) {
      const entries = reader.table(table).entriesOfReason('quarantined', row, ENTRIES_PER_READ);
      for (const entry of entries) {
        const quarantinedBy = reader.quarantine.of(collection.id, entry.row).map(({ source }) => source);
        if (Math.min(...quarantinedBy) === id) yield { kind: 'never', table, reference, row: entry.row };
      }
      if (entries.length < ENTRIES_PER_READ) break;
      row = entries.at(-1)?.row ?? row;
    }
  }
}

/**
 * Returns all rows if no index exists, since no index table lists them. The caller drops those with a deadline or a
 * pin.
 */
function* rowsInNoTable(
  reader: ReadConnection,
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

/** Returns documents that one index (null: explicit) gives no deadline, for one reason. */
export function* candidatesByReason(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex | null,
  text: string,
  after: Cursor | null,
): Generator<Candidate> {
  const reason: NeverReason | undefined = NEVER_REASONS.find(candidate => candidate === text);
  if (reason === undefined) {
    throw new SandglassError(
      'BAD_REQUEST',
      `“${text}” is not a reason. Use one of: ${NEVER_REASONS.join(', ')}.`,
      {
        reason: text,
      },
    );
  }
  const byHand = reason === 'pinned' || reason === 'set by hand';
  const entryTable = reader.table(index === null || byHand ? collection.explicit : index.table);
  if (reason === 'set by hand') {
    const [explicit] = deadlineSources(collection);
    const start = after?.kind === 'deadline' ? after : null;
    const all = { from: 0, to: Number.MAX_SAFE_INTEGER, order: 'asc' as const, start };
    if (explicit !== undefined && after?.kind !== 'reason') yield* entriesOfSource(reader, explicit, all);
  }
  // Quarantined explicit expirations still count as set by hand.
  const counted = reason === 'set by hand' ? 'quarantined' : reason;
  let row = after?.kind === 'reason' ? after.row : -1;
  for (;;) {
    const entries = entryTable.entriesOfReason(counted, row, ENTRIES_PER_READ);
    for (const entry of entries) yield { kind: 'reason', row: entry.row };
    if (entries.length < ENTRIES_PER_READ) return;
    row = entries.at(-1)?.row ?? row;
  }
}

export interface DeadlineOrder {
  /** Span of deadlines, [from, to). */
  from: number;
  to: number;
  order: 'asc' | 'desc';
  after: Cursor | null;
  /** Whether documents without a deadline follow. */
  includeNever: boolean;
}

/** Returns documents by deadline: a merge of the index tables, each of which is in order. */
export function* candidatesByDeadline(
  reader: ReadConnection,
  collection: CatalogCollection,
  { from, to, order, after, includeNever }: DeadlineOrder,
): Generator<Candidate> {
  if (after?.kind !== 'never') {
    const start = after?.kind === 'deadline' ? after : null;
    const streams = deadlineSources(collection).map(source =>
      entriesOfSource(reader, source, { from, to, order, start }),
    );
    yield* merge(streams, order, (a, b) => a.at - b.at || a.source - b.source);
  }
  if (includeNever) yield* candidatesWithoutDeadline(reader, collection, after);
}

type UpdatedCandidate = Extract<Candidate, { kind: 'updated' }>;

/**
 * Returns all documents by their last write: merges the order of a lastModified index with the documents that it does
 * not list, because they have an explicit expiration or are quarantined.
 */
export function* candidatesByUpdate(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex,
  order: 'asc' | 'desc',
  after: Cursor | null,
): Generator<Candidate> {
  const forward = order === 'asc';
  const [compare, direction] = forward ? ['>', ''] : ['<', 'DESC'];
  const first = forward ? { at: 0, row: -1 } : { at: END_OF_TIME, row: END_OF_TIME };
  const start = after?.kind === 'updated' ? after : first;
  const listed = reader.table(index.table);
  const inIndex = ({ at, row }: { at: number; row: number }) => {
    const place = { reference: at, row };
    const entries = forward
      ? listed.entries(0, END_OF_TIME, place, ENTRIES_PER_READ)
      : listed.entriesBackwards(0, END_OF_TIME, place, ENTRIES_PER_READ);
    return entries.map(entry => ({ at: entry.reference, row: entry.row }));
  };
  const elsewhere = (table: number, most: number) => {
    const rows = reader.db.prepare<[number, number, number], { at: number; row: number }>(
      `SELECT d.updated_at AS at, d.row FROM entries_${table} AS e
       CROSS JOIN documents_${collection.id} AS d ON d.row = e.row
       WHERE e.reference < ${most} AND (d.updated_at, d.row) ${compare} (?, ?)
       ORDER BY d.updated_at ${direction}, d.row ${direction} LIMIT ?`,
    );
    return updates(({ at, row }) => rows.all(at, row, ENTRIES_PER_READ), start);
  };
  const streams = [
    updates(inIndex, start),
    elsewhere(index.table, 0),
    elsewhere(collection.explicit, END_OF_TIME),
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
    if (last === undefined || rows.length < ENTRIES_PER_READ) return;
    after = last;
  }
}

type DeadlineCandidate = Extract<Candidate, { kind: 'deadline' }>;

function* entriesOfSource(
  reader: ReadConnection,
  source: { id: number; name: string; table: number; addMs: number },
  span: {
    from: number;
    to: number;
    order: 'asc' | 'desc';
    start: Extract<Cursor, { kind: 'deadline' }> | null;
  },
): Generator<DeadlineCandidate> {
  const entryTable = reader.table(source.table);
  const from = Math.max(0, span.from - source.addMs);
  const to = span.to - source.addMs;
  const forward = span.order === 'asc';
  let after = startOf(source, span.start, forward);
  for (;;) {
    const entries: Entry[] = forward
      ? entryTable.entries(from, to, after, ENTRIES_PER_READ)
      : entryTable.entriesBackwards(from, to, after, ENTRIES_PER_READ);
    for (const { reference, row } of entries) {
      yield { kind: 'deadline', at: reference + source.addMs, source: source.id, from: source.name, row };
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < ENTRIES_PER_READ) return;
    after = last;
  }
}

/**
 * Equal deadlines are ordered by source: a source before the cursor's continues after that instant, a later one at it.
 */
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
