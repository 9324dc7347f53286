import { basename } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';

/** Whether SQLite or the checkpoint thread could not sync the store's file or its log. */
export function isFailedSync(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_IOERR_FSYNC';
}

/** `isInDoubt`: the call's own changes were written and not synced; otherwise it was refused and changed nothing. */
export function syncFailed(
  file: string,
  { isInDoubt, problem }: { isInDoubt: boolean; problem: string | null },
): SandglassError {
  const name = basename(file);
  const call = isInDoubt ? ' Whether the changes of this call are kept is in doubt.' : '';
  const state =
    problem === null
      ? 'Sandglass is copying the store into a new file and accepts writes when that is done.'
      : `Copying the store into a new file failed and is tried again: ${problem}. Check the disk.`;
  return new SandglassError(
    'SYNC_FAILED',
    `The disk failed to store a part of ${name}, so writes are refused.${call} Acknowledged writes are kept, and reads continue. ${state}`,
    { file, isInDoubt, problem },
  );
}
