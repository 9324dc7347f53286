import { SandglassError } from '../../../shared/model/errors.ts';
import { encodeReason } from '../deadline-index/index-entry.ts';
import type { IndexTableReader } from '../deadline-index/index-table-reader.ts';
import type { MirroredKeys, StoredKey } from './keys-table.ts';

/** Position of a key in the order of a list, after which the next page starts. */
export type Cursor =
  | { kind: 'id'; id: string }
  /** `reference` is negative for keys that never expire, which follow those with a deadline. */
  | { kind: 'deadline'; reference: number; row: number };

export interface KeyOrder {
  by: '_id' | 'deadline';
  order: 'asc' | 'desc';
  /** Span of deadlines, [from, to); null: any, and keys that never expire last. Only by deadline. */
  span: { from: number; to: number } | null;
  /** Only keys that never expire. Only by deadline. */
  onlyNever: boolean;
  /** First `_id`. Only by `_id`. */
  startAt: string | null;
}

interface Place {
  readonly keys: MirroredKeys;
  readonly entries: IndexTableReader;
  readonly collection: number;
}

const NEVER = encodeReason('no TTL index');

/** Returns up to `limit` keys of a collection after a position, in order, each with its own position. */
export function nextKeys(
  { keys, entries, collection }: Place,
  { by, order, span, onlyNever, startAt }: KeyOrder,
  after: Cursor | null,
  limit: number,
): { key: StoredKey; cursor: Cursor }[] {
  if (by === '_id') {
    const id = after?.kind === 'id' ? after.id : startAt;
    const found = keys.page(collection, { id, isIncluded: after === null, order }, limit);
    return found.map(key => ({ key, cursor: { kind: 'id', id: key.id } }));
  }
  const start = after?.kind === 'deadline' ? after : null;
  const isAmongNever = onlyNever || (start !== null && start.reference < 0);
  const { from, to } = span ?? { from: 0, to: Number.MAX_SAFE_INTEGER };
  const found = isAmongNever
    ? []
    : order === 'asc'
      ? entries.entries(from, to, start, limit)
      : entries.entriesBackwards(from, to, start, limit);
  if (span === null && found.length < limit) {
    const never = { reference: NEVER, row: isAmongNever ? (start?.row ?? -1) : -1 };
    found.push(...entries.entries(NEVER, NEVER + 1, never, limit - found.length));
  }
  return found.flatMap(({ reference, row }) => {
    const key = keys.byRow(row);
    return key === undefined ? [] : [{ key, cursor: { kind: 'deadline' as const, reference, row } }];
  });
}

export function encodeCursor(cursor: Cursor): string {
  const parts = cursor.kind === 'id' ? ['i', cursor.id] : ['d', cursor.reference, cursor.row];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Throws BAD_REQUEST if the text is not a cursor of that order, made by `encodeCursor`. */
export function decodeCursor(text: string, by: KeyOrder['by']): Cursor {
  const parts = partsOf(text);
  if (parts !== null) {
    const [kind, a, b] = parts;
    if (by === '_id' && kind === 'i' && typeof a === 'string') return { kind: 'id', id: a };
    if (by === 'deadline' && kind === 'd' && typeof a === 'number' && typeof b === 'number')
      return { kind: 'deadline', reference: a, row: b };
  }
  throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', { after: text });
}

function partsOf(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
