import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import { csvDelimiter, importDeadlines, importFormat, type Job } from '../../../shared/contract/jobs.ts';
import type { EngineLink } from '../engine/running-engine.ts';
import { badRequest, feedImport } from './ndjson-upload.ts';

export interface FileImport {
  collection: string;
  query: URLSearchParams;
  contentType: string | undefined;
  /** Bytes; undefined if the sender gives no length. */
  contentLength: number | undefined;
}

/**
 * Handles `POST …/imports`: imports the body as it arrives, each piece durable before the next is read, and returns the
 * job when it has ended; meanwhile `GET /api/jobs` contains `committedLines`. No temporary file is written. If the
 * sender disconnects, the job is cancelled, and imported documents stay. Query: `format` (ndjson, json, csv,
 * mongoexport, arangoexport; by default from the content type), `delimiter` (of csv; by default from its first row),
 * `mode` (upsert, insert), `idField`, `create` (true), `deadlines` (absolute, remaining, none). Rejects with the errors
 * of `imports.start`.
 */
export async function importFile(
  link: EngineLink,
  { collection, query, contentType = '', contentLength }: FileImport,
  chunks: AsyncIterable<unknown>,
): Promise<Job> {
  const client: Client = createORPCClient(link);
  const format = importFormat.safeParse(query.get('format') ?? guessFormat(contentType));
  if (!format.success) throw badRequest(`format: must be one of ${importFormat.options.join(', ')}.`);
  const delimiter = csvDelimiter.optional().safeParse(query.get('delimiter') ?? undefined);
  if (!delimiter.success) throw badRequest('delimiter: must be one of , ; | and a tab.');
  const mode = query.get('mode') ?? 'upsert';
  if (mode !== 'insert' && mode !== 'upsert') throw badRequest('mode: must be insert or upsert.');
  const deadlines = importDeadlines.safeParse(query.get('deadlines') ?? 'absolute');
  if (!deadlines.success) throw badRequest('deadlines: must be absolute, remaining or none.');
  const idField = query.get('idField');
  const { id } = await client.imports.start({
    collection,
    format: format.data,
    mode,
    create: query.get('create') !== 'false',
    deadlines: deadlines.data,
    subject: 'upload',
    ...(contentLength === undefined ? {} : { totalBytes: contentLength }),
    ...(idField === null ? {} : { idField }),
    ...(delimiter.data === undefined ? {} : { delimiter: delimiter.data }),
  });
  return await feedImport(client, id, chunks);
}

function guessFormat(contentType: string): string {
  if (/^text\/csv/.test(contentType)) return 'csv';
  return /ndjson|jsonl/.test(contentType) ? 'ndjson' : 'json';
}
