import { TextDecoder } from 'node:util';
import { createORPCClient, ORPCError } from '@orpc/client';
import type { Client } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { EngineLink } from '../engine/running-engine.ts';

/** Characters per call of the engine: large enough to be fast, small enough for other calls to run in between. */
const PIECE = 256 * 1024;

/**
 * Streams NDJSON into a collection. Each piece is durable before the next is read, so the sender is slowed to the speed
 * of the disk, and memory use does not depend on the size. If the sender disconnects, written documents stay. Throws
 * the errors of the engine.
 */
export async function uploadNdjson(
  link: EngineLink,
  collection: string,
  query: URLSearchParams,
  chunks: AsyncIterable<unknown>,
): Promise<object> {
  const client: Client = createORPCClient(link);
  const mode = query.get('mode') ?? 'insert';
  if (mode !== 'insert' && mode !== 'upsert') throw badRequest('mode: must be insert or upsert.');
  if (!['false', '0'].includes(query.get('atomic') ?? 'false')) {
    throw badRequest('atomic: not possible for NDJSON, which is written as it arrives; send a JSON array.');
  }
  const { id } = await client.imports.start({
    collection,
    create: false,
    format: 'ndjson',
    mode,
    // An ordinary write of any size: it causes no hold [R9], and `$expiration` is a field, as in a JSON array.
    deadlines: 'as field',
    subject: 'upload',
  });
  return report(await feedImport(client, id, chunks));
}

/**
 * Appends all chunks to an import and returns its job. Cancels the job if the sender disconnects; imported documents
 * stay. Throws the errors of the engine.
 */
export async function feedImport(client: Client, job: string, chunks: AsyncIterable<unknown>): Promise<Job> {
  try {
    await appendAll(client, job, chunks);
    return await client.imports.finish({ job });
  } catch (error) {
    // Cancelling fails if the job itself has failed and needs no cancelling.
    await client.jobs.cancel({ job }).catch(() => {});
    throw error;
  }
}

/** Appends text in pieces, each durable before the next. Rejects with INVALID_FILE if the text is not UTF-8. */
async function appendAll(client: Client, job: string, chunks: AsyncIterable<unknown>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  const append = async (atLeast: number) => {
    for (; text.length >= atLeast && text !== ''; text = text.slice(PIECE)) {
      const { state, error } = await client.imports.append({ job, text: text.slice(0, PIECE) });
      if (state !== 'running') throw badRequest(error ?? `The import was ${state}.`);
    }
  };
  for await (const chunk of chunks) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a stream without an encoding gives buffers');
    text += decode(decoder, chunk);
    await append(PIECE);
  }
  text += decode(decoder);
  await append(1);
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new ORPCError('INVALID_FILE', { status: 400, message: 'The text is not UTF-8.' });
  }
}

function report(job: Job): object {
  if (job.state === 'failed') throw badRequest(job.error ?? 'The import failed.');
  return {
    inserted: job.inserted ?? 0,
    updated: job.updated ?? 0,
    expiredOnArrival: job.expiredOnArrival ?? 0,
    rejected: job.rejected ?? [],
    rejectedCount: job.rejectedCount ?? 0,
    committedLines: job.committedLines ?? 0,
    job: job.id,
  };
}

export function badRequest(message: string): ORPCError<'BAD_REQUEST', undefined> {
  return new ORPCError('BAD_REQUEST', { message });
}
