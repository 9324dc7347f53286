/**
 * Logs one line about tests that cannot run on this machine; `reason` undefined: it runs. Returns whether it runs, for
 * `it.runIf` and `describe.runIf`.
 */
export function runsHere(what: string, reason: string | undefined): boolean {
  if (reason !== undefined) console.log(`not run here: ${what} (it ${reason})`);
  return reason === undefined;
}

/** Reasons for `runsHere`. */
export const NEEDS_POSIX = process.platform === 'win32' ? 'needs POSIX: signals, modes, sockets' : undefined;
export const NEEDS_LINUX = process.platform === 'linux' ? undefined : 'needs Linux';
export const NEEDS_A_USER =
  NEEDS_POSIX ?? (process.getuid?.() === 0 ? 'needs a user who is not root' : undefined);
