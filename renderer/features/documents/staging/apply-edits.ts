import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { editBody } from '../expiration/expiration-edit.ts';
import { groups, type Staged } from './staged-edits.ts';

export const CHUNK = 500;

export interface Failure {
  _id: string;
  code: string;
  message: string;
}

export interface ApplyResult {
  succeeded: readonly string[];
  failed: readonly Failure[];
  /** Left unwritten because it was cancelled or the engine went away. */
  left: number;
  elapsedMs: number;
  /** What ended it early, other than a person. */
  error: unknown;
}

/** Of a job that was done when it answered: a chunk is small enough. */
type ChunkResult = Pick<Job, 'state' | 'failed' | 'error'>;

type WriteChunk = (chunk: { ids: string[]; set?: ExpirationSetting; clear?: true }) => Promise<ChunkResult>;

export interface ApplyOptions {
  write: WriteChunk;
  /** What a call was refused for where the expiration itself is wrong; null: something else went wrong. */
  refusalOf: (error: unknown) => Pick<Failure, 'code' | 'message'> | null;
  signal: AbortSignal;
  onProgress: (done: number) => void;
  /** A monotonic clock, ms. */
  elapsed: () => number;
}

/**
 * Writes staged edits in chunks [E3]. Each chunk that was answered is durable; a cancel takes effect between chunks,
 * and an error ends the run with everything behind it unwritten; an expiration that is refused, as one whose moment has
 * passed, is told of its own documents only.
 */
export async function applyEdits(staged: Staged, options: ApplyOptions): Promise<ApplyResult> {
  const { write, refusalOf, signal, onProgress, elapsed } = options;
  const startedAt = elapsed();
  const succeeded: string[] = [];
  const failed: Failure[] = [];
  let error: unknown = null;
  const chunks = groups(staged).flatMap(({ edit, edits }) =>
    chunksOf(
      edits.map(({ before }) => before._id),
      CHUNK,
    ).map(ids => ({ ids, ...editBody(edit) })),
  );
  for (const chunk of chunks) {
    if (signal.aborted) break;
    try {
      const refused = refusedOf(await write(chunk));
      const bad = new Set(refused.map(({ _id }) => _id));
      failed.push(...refused);
      succeeded.push(...chunk.ids.filter(id => !bad.has(id)));
      onProgress(succeeded.length + failed.length);
    } catch (reason) {
      const refusal = refusalOf(reason);
      if (refusal === null) {
        error = reason;
        break;
      }
      failed.push(...chunk.ids.map(_id => ({ _id, ...refusal })));
      onProgress(succeeded.length + failed.length);
    }
  }
  const left = staged.size - succeeded.length - failed.length;
  return { succeeded, failed, left, elapsedMs: elapsed() - startedAt, error };
}

/** Those it could not change. Throws where it ended before it was through. */
export function refusedOf({ state, failed, error }: ChunkResult): readonly Failure[] {
  if (state !== 'done') throw new Error(error ?? `The change was ${state} before it was through.`);
  return failed ?? [];
}

export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/** It expired or was deleted before the edit reached it. */
export function isGone(failure: Failure): boolean {
  return failure.code === 'DOCUMENT_NOT_FOUND';
}

/** Whether writing it again could end otherwise: a document that is gone stays gone. */
export function canRetry(failure: Failure): boolean {
  return !isGone(failure) && failure.code !== 'INVALID_EXPIRATION';
}
