import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createORPCClient } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import { csvDelimiter, importDeadlines, importFormat, type Job } from '../../shared/contract/jobs.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { appendAll, badRequest } from './ndjson-upload.ts';
import type { EngineLink } from './running-engine.ts';

/**
 * `POST …/imports`: takes the whole body to a temporary file, answers the job at once, and imports in the background;
 * `GET /api/jobs/{job}` then tells `committedLines`. Query: `format` (ndjson, json, csv, mongoexport, arangoexport; guessed from the content type),
 * `delimiter` (of csv; else by its first row),
 * `mode` (upsert, insert), `idField`, `create` (true), `deadlines` (absolute, remaining, none). Rejects with what starting the import refuses.
 */
export async function importInBackground(
  link: EngineLink,
  collection: string,
  query: URLSearchParams,
  request: IncomingMessage,
  log: Logger,
): Promise<Job> {
  const client: Client = createORPCClient(link);
  const format = importFormat.safeParse(query.get('format') ?? guessFormat(request));
  if (!format.success) throw badRequest(`format: it is ${importFormat.options.join(', ')}.`);
  const delimiter = csvDelimiter.optional().safeParse(query.get('delimiter') ?? undefined);
  if (!delimiter.success) throw badRequest('delimiter: it is , ; | or a tab.');
  const mode = query.get('mode') ?? 'upsert';
  if (mode !== 'insert' && mode !== 'upsert') throw badRequest('mode: it is insert or upsert.');
  const deadlines = importDeadlines.safeParse(query.get('deadlines') ?? 'absolute');
  if (!deadlines.success) throw badRequest('deadlines: it is absolute, remaining or none.');
  const folder = await mkdtemp(join(tmpdir(), 'sandglass-import-'));
  const file = join(folder, 'body');
  try {
    const spooled = createWriteStream(file);
    await pipeline(request, spooled);
    const idField = query.get('idField');
    const job = await client.imports.start({
      collection,
      format: format.data,
      mode,
      create: query.get('create') !== 'false',
      deadlines: deadlines.data,
      subject: 'upload',
      totalBytes: spooled.bytesWritten,
      ...(idField === null ? {} : { idField }),
      ...(delimiter.data === undefined ? {} : { delimiter: delimiter.data }),
    });
    void feed(client, job.id, file)
      .catch((error: unknown) => {
        log.warn('an import ended early', { job: job.id, ...errorFields(error) });
        // The job may be what failed; then there is nothing left to cancel.
        return client.jobs.cancel({ job: job.id }).then(
          () => {},
          () => {},
        );
      })
      .finally(() => rm(folder, { recursive: true, force: true }));
    return job;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function feed(client: Client, job: string, file: string): Promise<void> {
  await appendAll(client, job, createReadStream(file));
  await client.imports.finish({ job });
}

function guessFormat(request: IncomingMessage): string {
  if (/^text\/csv/.test(request.headers['content-type'] ?? '')) return 'csv';
  return /ndjson|jsonl/.test(request.headers['content-type'] ?? '') ? 'ndjson' : 'json';
}
