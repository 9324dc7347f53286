/**
 * Thrown if a revision or page of the leader could not be applied to the mirror, which is unchanged. The store must be
 * copied again [V5].
 */
export class ReplayFailure extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} could not be applied: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'ReplayFailure';
  }
}

/**
 * Runs `work` and returns its result. Throws a ReplayFailure if it throws, except for a lack of resources (space,
 * memory, a failing disk) and for invalid leader data: a copy would fail for the same reason.
 */
export function replaying<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw isOfAnother(error) ? error : new ReplayFailure(what, error);
  }
}

const NOT_OF_REPLAY =
  /^(INVALID_LEADER_DATA|DISK_FULL|SYNC_FAILED|IO_ERROR|STORE_BUSY|ENOSPC|EDQUOT|SQLITE_(FULL|NOMEM|BUSY|LOCKED|READONLY|CANTOPEN|IOERR)(_.*)?)$/;

function isOfAnother(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_OF_REPLAY.test(String(error.code));
}
