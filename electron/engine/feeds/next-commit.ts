import type { Clock } from '../platform/clock.ts';
import type { LeaderStatus } from '../replication/leader-status.ts';

/** A source of commits. */
export interface CommitSource {
  /** Calls `listener` after each commit. Returns the function that unsubscribes. */
  onCommit(listener: () => void): () => void;
}

export interface WaitOptions {
  /** Longest wait for a commit; null: no limit. */
  waitMs: number | null;
  signal?: AbortSignal | undefined;
}

/**
 * Reads, and reads again after each commit, until `isEnough` accepts the result, the timeout is over or the signal
 * aborts. Returns the last result. No commit is missed between two reads.
 */
export async function waitForCommits<Read>(
  {
    backend,
    clock,
    leaderStatus,
  }: {
    backend: CommitSource;
    clock: Clock;
    leaderStatus?: Pick<LeaderStatus, 'onStale'> | null;
  },
  read: () => Promise<Read>,
  isEnough: (found: Read) => boolean,
  { waitMs, signal }: WaitOptions,
): Promise<Read> {
  let wake: (() => void) | null = null;
  let isStale = false;
  let isOver = signal?.aborted === true || waitMs === 0;
  // Registered before the first read, so that a commit right after that read is noticed.
  const stopListening = backend.onCommit(() => {
    isStale = true;
    wake?.();
  });
  const over = () => {
    isOver = true;
    wake?.();
  };
  signal?.addEventListener('abort', over);
  // A stale mirror refuses reads: a longer wait would only delay the error.
  const stopFollowing = leaderStatus?.onStale(over);
  const cancelTimer = waitMs === null ? () => {} : clock.setTimer(waitMs, over);
  try {
    for (;;) {
      isStale = false;
      const found = await read();
      if (isEnough(found) || isOver) return found;
      if (isStale) continue;
      await new Promise<void>(resolve => {
        wake = resolve;
      });
      wake = null;
    }
  } finally {
    stopListening();
    stopFollowing?.();
    signal?.removeEventListener('abort', over);
    cancelTimer();
  }
}
