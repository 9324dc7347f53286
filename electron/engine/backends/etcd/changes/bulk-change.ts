import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { PartOptions } from '../../backend.ts';
import { isUnreachable } from '../connection/etcd-failure.ts';
import { inParallel } from '../connection/in-parallel.ts';

/** A key as the caller addresses it. */
export interface ChosenKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Outcome for each key of a bulk change. */
export interface BulkOutcome {
  /** Number of keys that were changed. */
  readonly changed: number;
  readonly failed: { _id: string; code: string; message: string }[];
  /** Number of keys that `isOver` left unchanged. */
  readonly left: number;
}

/** Keys between two calls of `isOver`, and requests in progress at once. */
const CHUNK = 64;
const WIDTH = 8;

/**
 * Changes keys with one request each, several requests at once. Each key succeeds or fails alone. If the server becomes
 * unreachable, the remaining keys of the chunk fail without a request.
 */
export async function changeKeys(
  ids: readonly string[],
  change: (id: string) => Promise<void>,
  { isOver }: PartOptions = {},
): Promise<BulkOutcome> {
  let changed = 0;
  const failed: BulkOutcome['failed'] = [];
  let isLost = false;
  for (let from = 0; from < ids.length; from += CHUNK) {
    if (from > 0 && isOver?.() === true) return { changed, failed, left: ids.length - from };
    await inParallel(ids.slice(from, from + CHUNK), WIDTH, async id => {
      try {
        if (isLost) throw notTried();
        await change(id);
        changed++;
      } catch (error) {
        if (!(error instanceof SandglassError)) throw error;
        if (isUnreachable(error)) isLost = true;
        failed.push({ _id: id, code: error.code, message: error.message });
      }
    });
  }
  return { changed, failed, left: 0 };
}

function notTried(): SandglassError {
  return new SandglassError(
    'SERVER_UNREACHABLE',
    'The etcd server could no longer be reached; this key is unchanged.',
  );
}
