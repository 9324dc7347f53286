import { createORPCClient } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import { csvDelimiter, importDeadlines, importFormat, type Job } from '../../../shared/contract/jobs.ts';
import type { EngineLink } from '../engine/running-engine.ts';
import { badRequest, feed } from './ndjson-upload.ts';

export interface FileImport {
  collection: string;
  query: URLSearchParams;
  contentType: string | undefined;
  /** Bytes, where the sender says so. */
  contentLength: number | undefined;
}

/**
 * `POST …/imports`: imports the body as it arrives, each piece durable before the next is read, and answers the job when
 * all is imported; `GET /api/jobs` tells `committedLines` meanwhile. Nothing is kept beside the store. A sender that goes
 * away leaves what it has sent so far, and a cancelled job.
 * Query: `format` (ndjson, json, csv, mongoexport, arangoexport; guessed from the content type),
 * `delimiter` (of csv; else by its first row),
 * `mode` (upsert, insert), `idField`, `create` (true), `deadlines` (absolute, remaining, none). Rejects with what starting the import refuses.
 */
export async function importFile(
  link: EngineLink,
  { collection, query, contentType = '', contentLength }: FileImport,
  chunks: AsyncIterable<unknown>,
): Promise<Job> {
  const client: Client = createORPCClient(link);
  const format = importFormat.safeParse(query.get('format') ?? guessFormat(contentType));
  if (!format.success) throw badRequest(`format: it is ${importFormat.options.join(', ')}.`);
  const delimiter = csvDelimiter.optional().safeParse(query.get('delimiter') ?? undefined);
  if (!delimiter.success) throw badRequest('delimiter: it is , ; | or a tab.');
  const mode = query.get('mode') ?? 'upsert';
  if (mode !== 'insert' && mode !== 'upsert') throw badRequest('mode: it is insert or upsert.');
  const deadlines = importDeadlines.safeParse(query.get('deadlines') ?? 'absolute');
  if (!deadlines.success) throw badRequest('deadlines: it is absolute, remaining or none.');
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
  return await feed(client, id, chunks);
}

function guessFormat(contentType: string): string {
  if (/^text\/csv/.test(contentType)) return 'csv';
  return /ndjson|jsonl/.test(contentType) ? 'ndjson' : 'json';
}
