import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Session } from '../connection/session.ts';
import type { SessionPool } from '../connection/session-pool.ts';

/**
 * Runs reads of one snapshot, whose statement the server cancels when the signal aborts. Rejects with CANCELLED then, and with
 * BUSY after the statement timeout.
 */
export async function cancellable<Result>(
  pool: SessionPool,
  signal: AbortSignal | undefined,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const cancelled = new SandglassError('CANCELLED', 'The caller is gone.');
  let isRunning = true;
  try {
    return await pool.read(async session => {
      if (signal?.aborted === true) throw cancelled;
      const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const cancel = () => {
        // A cancellation that fails leaves the statement to its timeout; the caller is gone in any case.
        if (isRunning) pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid ?? 0]).catch(() => {});
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await work(session);
      } finally {
        isRunning = false;
        signal?.removeEventListener('abort', cancel);
      }
    });
  } catch (error) {
    throw signal?.aborted === true ? cancelled : error;
  }
}
