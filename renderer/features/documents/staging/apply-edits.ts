import { t } from '@lingui/core/macro';
import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { DeadlineCondition } from '../../../../shared/model/deadline-condition.ts';
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
  /** Number of edits not written, because the run was cancelled or failed. */
  left: number;
  elapsedMs: number;
  /** Error that ended the run. */
  error: unknown;
  /** Number of written documents that the condition of the edit did not admit. */
  unchanged?: number;
  /** Jobs whose deadlines the engine can set back. */
  jobs?: readonly string[];
}

/** Result of a chunk; its job ends before the call is answered. */
type ChunkResult = Pick<Job, 'state' | 'failed' | 'error'> &
  Partial<Pick<Job, 'id' | 'undoable' | 'unchangedCount'>>;

type WriteChunk = (chunk: {
  ids: string[];
  set?: ExpirationSetting;
  clear?: true;
  only?: DeadlineCondition;
}) => Promise<ChunkResult>;

export interface ApplyOptions {
  write: WriteChunk;
  /** Returns the refusal of an invalid expiration; null for another error. */
  refusalOf: (error: unknown) => Pick<Failure, 'code' | 'message'> | null;
  signal: AbortSignal;
  onProgress: (done: number) => void;
  /** Monotonic time, ms. */
  elapsed: () => number;
}

/**
 * Writes staged edits in chunks [E3]. Each answered chunk is durable. A cancel takes effect between chunks; an error
 * ends the run with all later chunks unwritten. A refused expiration, such as one in the past, fails only for its own
 * documents.
 */
export async function applyEdits(staged: Staged, options: ApplyOptions): Promise<ApplyResult> {
  const { write, refusalOf, signal, onProgress, elapsed } = options;
  const startedAt = elapsed();
  const succeeded: string[] = [];
  const failed: Failure[] = [];
  const jobs: string[] = [];
  let unchanged = 0;
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
      const result = await write(chunk);
      const refused = refusedOf(result);
      unchanged += result.unchangedCount ?? 0;
      if (result.id !== undefined && result.undoable !== undefined) jobs.push(result.id);
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
  return {
    ...{ succeeded, failed, left, elapsedMs: elapsed() - startedAt, error },
    ...(unchanged > 0 && { unchanged }),
    ...(jobs.length > 0 && { jobs }),
  };
}

/** Returns the documents that failed. Throws if the job ended early. */
export function refusedOf({ state, failed, error }: ChunkResult): readonly Failure[] {
  if (state !== 'done') throw new Error(error ?? t`The job ended early: ${state}.`);
  return failed ?? [];
}

export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/** Whether the document expired or was deleted before the edit. */
export function isRemoved(failure: Failure): boolean {
  return failure.code === 'DOCUMENT_NOT_FOUND';
}

/** Whether a retry may succeed. */
export function canRetry(failure: Failure): boolean {
  return !isRemoved(failure) && failure.code !== 'INVALID_EXPIRATION';
}
