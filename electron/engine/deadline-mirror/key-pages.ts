import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { DocumentPage, DocumentQuery } from '../backends/backend.ts';
import { HOUR } from '../deadline-index/count-levels.ts';
import type { IndexTableReader } from '../deadline-index/index-table-reader.ts';
import type { Clock } from '../platform/clock.ts';
import { type Cursor, decodeCursor, encodeCursor, type KeyOrder, nextKeys } from './key-order.ts';
import { recordOf, TTL } from './key-record.ts';
import type { MirroredKeys } from './keys-table.ts';

/** A page that must examine many keys ends after this time, with a cursor for the rest. */
const PAGE_LIMIT_MS = 200;
/** Duration of a step: other work of the thread runs between two steps of a page. */
const STEP_MS = 8;
const KEYS_A_READ = 256;

/** Filter and order of keys. */
export type KeyChoice = Omit<DocumentQuery, 'collection' | 'limit' | 'clip'>;

interface Place {
  readonly keys: MirroredKeys;
  readonly entries: IndexTableReader;
  readonly collection: number;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/**
 * Returns a page of keys. Throws BAD_REQUEST for an order that the mirror does not have, NOT_SUPPORTED for a condition
 * in CEL: the mirror has no values. Rejects with CANCELLED if the signal aborts.
 */
export async function readKeys(
  place: Place,
  choice: KeyChoice,
  { limit, now, signal }: { limit: number; now: number; signal?: AbortSignal | undefined },
): Promise<Omit<DocumentPage, 'revision'>> {
  const order = orderOf(choice, now);
  const matches = matcherOf(choice, now);
  const documents: DocumentRecord[] = [];
  let after = choice.after === undefined ? null : decodeCursor(choice.after, order?.by ?? '_id');
  const none = { documents, next: null, partial: false, now };
  if (order === null) return none;
  const { clock } = place;
  const stopAt = clock.elapsed() + PAGE_LIMIT_MS;
  let yieldAt = clock.elapsed() + STEP_MS;
  // Without a filter, one key more than the page has shows whether there is a next page.
  let readAtOnce = Math.min(limit + 1, KEYS_A_READ);
  for (;;) {
    const found = nextKeys(place, order, after, readAtOnce);
    for (const { key, cursor } of found) {
      const record = recordOf(key, now);
      if (matches(record)) {
        if (documents.length === limit) return { ...none, next: encoded(after) };
        documents.push(record);
      }
      after = cursor;
    }
    if (found.length < readAtOnce) return none;
    if (clock.elapsed() > stopAt) return { ...none, next: encoded(after), partial: true };
    readAtOnce = KEYS_A_READ;
    if (clock.elapsed() > yieldAt) {
      await new Promise(resolve => setImmediate(resolve));
      if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The caller is gone.');
      yieldAt = clock.elapsed() + STEP_MS;
    }
  }
}

function encoded(cursor: Cursor | null): string | null {
  return cursor === null ? null : encodeCursor(cursor);
}

/** Returns the order in which keys are read; null: no key of a mirror can match. */
function orderOf(choice: KeyChoice, now: number): KeyOrder | null {
  const { sort, order, state, index, reason, startAt, cel } = choice;
  if (cel !== undefined && cel.trim() !== '') {
    throw new SandglassError(
      'NOT_SUPPORTED',
      'Conditions on the content of keys are not supported: Sandglass stores only their names and deadlines.',
      { feature: 'contentFilter' },
    );
  }
  if (sort === 'updatedAt') {
    throw new SandglassError('BAD_REQUEST', 'Keys cannot be sorted by updatedAt. Sort by _id or deadline.', {
      sort,
    });
  }
  const span = spanOf(choice, now);
  const isById = sort === '_id' && (state ?? index ?? reason) === undefined && span === null;
  if (startAt !== undefined && !isById) {
    throw new SandglassError(
      'BAD_REQUEST',
      '`startAt` is an `_id`: it goes with `sort: _id`, and not with state, index, reason, dueFrom or dueTo.',
      { startAt, sort },
    );
  }
  if (index !== undefined && index !== TTL) return null;
  if (state === 'paused' || state === 'quarantined' || state === 'pinned') return null;
  const onlyNever = state === 'never' || reason !== undefined;
  if (onlyNever && span !== null) return null;
  return {
    by: isById ? '_id' : 'deadline',
    order,
    // With the name of the TTL, keys without a deadline from it are listed by their reason only.
    span: span ?? (index === undefined || onlyNever ? null : { from: 0, to: Number.MAX_SAFE_INTEGER }),
    onlyNever,
    startAt: startAt ?? null,
  };
}

/** Returns the span of deadlines, [from, to), of a state and a window; null if any deadline, or none, matches. */
function spanOf({ state, dueFrom, dueTo }: KeyChoice, now: number): { from: number; to: number } | null {
  const ofState =
    state === 'overdue'
      ? { from: 0, to: now + 1 }
      : state === 'soon'
        ? { from: now + 1, to: now + HOUR }
        : state === 'live'
          ? { from: now + HOUR, to: Number.MAX_SAFE_INTEGER }
          : null;
  if (ofState === null && dueFrom === undefined && dueTo === undefined) return null;
  const { from, to } = ofState ?? { from: 0, to: Number.MAX_SAFE_INTEGER };
  return { from: Math.max(from, Math.ceil(dueFrom ?? 0)), to: Math.min(to, Math.ceil(dueTo ?? to)) };
}

function matcherOf(choice: KeyChoice, now: number): (record: DocumentRecord) => boolean {
  const text = choice.filter?.trim().toLowerCase() ?? '';
  const showsOverdue = choice.includeExpired || choice.state === 'overdue';
  return ({ _id, deadlineAt }) =>
    (showsOverdue || deadlineAt === null || deadlineAt > now) &&
    (text === '' || _id.toLowerCase().includes(text));
}
