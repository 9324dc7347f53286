import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { EXPIRATION_MEMBER, type ExportedExpiration } from '../../../shared/contract/exports.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import { EXPLICIT } from '../../../shared/model/ttl-index.ts';
import type { ExportPage, ExportQuery, RemoteBackend } from '../backends/backend.ts';

/** Records on a page: each value of a mirrored store is read by a call of its own. */
const MOST_ON_A_PAGE = 200;
const READ_AT_ONCE = 16;

/**
 * Returns a page of a remote collection as NDJSON, as `exportPage` of the embedded store does. Keys that are gone meanwhile
 * are left out. The deadline of a key is an explicit expiration, so that an import into any store keeps it. Throws
 * INVALID_DOCUMENT for a value that is too large to be read whole.
 */
export async function exportRemotePage(
  backend: RemoteBackend,
  query: ExportQuery,
  now: number,
): Promise<ExportPage> {
  const { records, next } = await chosenRecords(backend, query, now);
  const whole = backend.mirror === null ? records : await withValues(backend, query.collection, records, now);
  const lines = whole.map(record => lineOf(record, query.deadlines, now, backend.mirror !== null));
  return {
    text: lines.map(line => `${line}\n`).join(''),
    documents: lines.length,
    next,
    revision: backend.revision,
  };
}

async function chosenRecords(
  backend: RemoteBackend,
  { collection, ids, after, filter, includeExpired, limit }: ExportQuery,
  now: number,
): Promise<{ records: readonly DocumentRecord[]; next: string | null }> {
  const most = Math.min(limit, MOST_ON_A_PAGE);
  if (ids === undefined) {
    const order = { sort: '_id', order: 'asc' } as const;
    const choice = {
      collection,
      limit: most,
      ...order,
      includeExpired,
      ...filter,
      ...(after !== undefined && { after }),
    };
    const { documents, next } = await backend.reads.documents(choice, now);
    return { records: documents, next };
  }
  const from = Number(after ?? 0);
  if (!Number.isSafeInteger(from))
    throw new SandglassError('BAD_REQUEST', '`after` takes the `next` of a page, unchanged.', { after });
  const part = ids.slice(from, from + most);
  const found = await eachOf(part, id => readUnlessGone(backend, { collection, id, includeExpired }, now));
  return { records: found, next: from + most < ids.length ? String(from + most) : null };
}

function withValues(
  backend: RemoteBackend,
  collection: string,
  records: readonly DocumentRecord[],
  now: number,
): Promise<DocumentRecord[]> {
  return eachOf(records, ({ _id: id }) =>
    readUnlessGone(backend, { collection, id, includeExpired: true }, now),
  );
}

/** Returns what `read` found, in order, READ_AT_ONCE at a time. */
async function eachOf<Item>(
  items: readonly Item[],
  read: (item: Item) => Promise<DocumentRecord | null>,
): Promise<DocumentRecord[]> {
  const found: DocumentRecord[] = [];
  for (let i = 0; i < items.length; i += READ_AT_ONCE) {
    const part = await Promise.all(items.slice(i, i + READ_AT_ONCE).map(read));
    for (const record of part) if (record !== null) found.push(record);
  }
  return found;
}

async function readUnlessGone(
  { reads }: RemoteBackend,
  query: { collection: string; id: string; includeExpired: boolean },
  now: number,
): Promise<DocumentRecord | null> {
  try {
    return await reads.document(query, now);
  } catch (error) {
    if (error instanceof SandglassError && error.code === 'DOCUMENT_NOT_FOUND') return null;
    throw error;
  }
}

function lineOf(
  { _id, document, deadlineAt, deadlineFrom, clipped }: DocumentRecord,
  withDeadline: boolean,
  exportedAt: number,
  isKey: boolean,
): string {
  if (clipped)
    throw new SandglassError(
      'INVALID_DOCUMENT',
      `The value of ${_id} is too large to be read whole. Leave it out by a filter.`,
      { _id },
    );
  if (!withDeadline) return stringifyJson(document);
  const isExplicit = deadlineAt !== null && (isKey || deadlineFrom === EXPLICIT);
  const expiration: ExportedExpiration = {
    deadlineAt,
    deadlineFrom,
    exportedAt,
    ...(isExplicit && { explicit: { at: deadlineAt } }),
  };
  return stringifyJson({ ...document, [EXPIRATION_MEMBER]: expiration });
}
