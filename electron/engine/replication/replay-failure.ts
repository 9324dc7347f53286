/** What a leader sent could not be applied to the mirror, which is as it was. Only a fresh copy leads on [V5]. */
export class ReplayFailure extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} could not be applied: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'ReplayFailure';
  }
}

/**
 * Returns what `work` does. Throws a ReplayFailure where it throws, except for what the machine lacks (space, memory, a disk
 * that answers): a copy would fail for the same reason, and the same work succeeds later.
 */
export function replaying<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw isOfMachine(error) ? error : new ReplayFailure(what, error);
  }
}

const OF_MACHINE =
  /^(DISK_FULL|STORE_BUSY|ENOSPC|EDQUOT|SQLITE_(FULL|NOMEM|BUSY|LOCKED|READONLY|CANTOPEN|IOERR)(_.*)?)$/;

function isOfMachine(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OF_MACHINE.test(String(error.code));
}
