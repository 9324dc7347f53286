import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { isUnreadable } from '../../../../../../shared/model/reference-time.ts';
import {
  expireAfterMs,
  sameReferenceTimes,
  type TtlSource,
} from '../../../../../../shared/model/ttl-index.ts';
import { evenEdges } from '../../../../deadline-index/bucket-edges.ts';
import { encodeReason } from '../../../../deadline-index/index-entry.ts';
import type { IndexTableReader } from '../../../../deadline-index/index-table-reader.ts';
import type { PreviewContext, PreviewQuery } from '../../../backend.ts';
import type { CatalogCollection } from '../../catalog/catalog.ts';
import type { CatalogIndex } from '../../catalog/catalog-index.ts';
import { readBody, type StoredBody } from '../../tables/documents/stored-json.ts';
import type { ReadConnection } from '../read-connection.ts';
import { neverReasons, sum } from '../read-summaries.ts';
import {
  chooseSamples,
  drainMs,
  EXAMPLES,
  empty,
  FORECAST_BUCKET_MS,
  FORECAST_BUCKETS,
  fieldsOf,
  HORIZONS,
  horizonOf,
  toSample,
  withoutNever,
} from './preview-terms.ts';
import { exampleOf } from './unreadable-values.ts';

/**
 * Previews a change of the duration from the counts, for collections of any size [X3]. Returns null if a scan is
 * needed.
 */
export function previewFromCounts(
  reader: ReadConnection,
  query: PreviewQuery,
  context: PreviewContext,
): Omit<Preview, 'elapsedMs'> | null {
  const collection = reader.collection(query.collection);
  const index = collection.indexes.find(candidate => candidate.name === query.name);
  if (query.drop === true || index === undefined || !index.isReady) return null;
  const { source } = query;
  if (source === undefined || !sameReferenceTimes(index.definition.source, source)) return null;
  return previewOfChange(reader, collection, index, source, context);
}

function previewOfChange(
  reader: ReadConnection,
  collection: CatalogCollection,
  index: CatalogIndex,
  source: TtlSource,
  { now, drainRate }: PreviewContext,
): Omit<Preview, 'elapsedMs'> {
  const entries = reader.table(index.table);
  const addMs = expireAfterMs(source);
  const counts = empty();
  const bytes = empty();
  let below = { documents: 0, bytes: 0 };
  for (const [horizon, afterMs] of HORIZONS) {
    const upTo =
      afterMs === Number.POSITIVE_INFINITY ? entries.total() : entries.before(now - addMs + afterMs + 1);
    counts[horizon] = upTo.documents - below.documents;
    bytes[horizon] = upTo.bytes - below.bytes;
    below = upTo;
  }
  const due = entries.histogram(evenEdges(now + 1 - addMs, FORECAST_BUCKET_MS, FORECAST_BUCKETS));
  let next = entries.first(now - addMs + 1);
  bytes.never = Math.max(0, collection.bytes - below.bytes);
  // A changed index retries the documents that it had quarantined [A5].
  const released = reader.quarantine.ofSource(collection.id, index.id);
  for (const { row, reference } of released) {
    const size = entries.bytesOf(encodeReason('quarantined'), row) ?? 0;
    const ahead = reference + addMs - now;
    const horizon = horizonOf(ahead);
    counts[horizon] += 1;
    bytes[horizon] += size;
    bytes.never -= size;
    if (ahead <= 0) continue;
    if (next === null || reference < next) next = reference;
    const bucket = Math.floor((ahead - 1) / FORECAST_BUCKET_MS);
    if (bucket < FORECAST_BUCKETS) due[bucket] = (due[bucket] ?? 0) + 1;
  }
  const reasons = neverReasons(reader, collection, index).filter(({ reason }) => reason !== 'quarantined');
  const read = documentReader(reader, collection);
  const unreadable = reasons.filter(({ reason }) => isUnreadable(reason));
  return {
    revision: reader.revision,
    at: now,
    kind: 'change',
    documents: collection.documents,
    ...withoutNever(counts),
    never: { count: sum(reasons.map(({ count }) => count)), reasons },
    bytes,
    drainMs: drainMs(counts.dueAtOnce, drainRate),
    nextDeadlineAt: next === null ? null : next + addMs,
    forecast: { bucketMs: FORECAST_BUCKET_MS, due },
    samples: sampleRows(entries, now - addMs)
      .flatMap(read)
      .map(({ id, updatedAt, document }) =>
        toSample({ id, document }, fieldsOf(source), index.read(document, updatedAt), addMs),
      ),
    unreadable: {
      count: sum(unreadable.map(({ count }) => count)),
      values: unreadable
        .flatMap(({ reason }) => entries.entriesOfReason(reason, null, EXAMPLES))
        .slice(0, EXAMPLES)
        .flatMap(read)
        .map(({ document }) => exampleOf(document, fieldsOf(source))),
      // No formats are offered: those of an existing index cannot be changed.
      offers: [],
    },
  };
}

/** Rows of documents that are due at `reference` or before it, later, and never. */
function sampleRows(entries: IndexTableReader, reference: number): { row: number }[] {
  return chooseSamples(
    entries.entries(0, reference + 1, null, EXAMPLES),
    entries.entries(Math.max(0, reference + 1), Number.MAX_SAFE_INTEGER, null, EXAMPLES),
    entries
      .reasons()
      .slice(0, 1)
      .flatMap(({ reason }) => entries.entriesOfReason(reason, null, EXAMPLES)),
  );
}

/** Returns a function that reads a row's document; empty if it is gone. */
function documentReader(reader: ReadConnection, collection: CatalogCollection) {
  const statement = reader.db.prepare<[number], { id: string; updatedAt: number; body: StoredBody }>(
    `SELECT id, updated_at AS updatedAt, body FROM documents_${collection.id} WHERE row = ?`,
  );
  return ({ row }: { row: number }) => {
    const stored = statement.get(row);
    return stored === undefined ? [] : [{ ...stored, document: readBody(stored.body) }];
  };
}
