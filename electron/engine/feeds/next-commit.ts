import type { Backend } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import type { Following } from '../replication/leader-status.ts';

export interface Patience {
  /** How long to wait for something to be committed; null: as long as it takes. */
  waitMs: number | null;
  signal?: AbortSignal | undefined;
}

/**
 * Looks, and looks again after each commit until there is something to see, the patience is over or the signal
 * aborts; answers what was seen last. No commit falls between two looks.
 */
export async function waitForCommits<Sight>(
  {
    backend,
    clock,
    following,
  }: { backend: Pick<Backend, 'onCommit'>; clock: Clock; following?: Pick<Following, 'onStale'> | null },
  look: () => Promise<Sight>,
  isSomething: (sight: Sight) => boolean,
  { waitMs, signal }: Patience,
): Promise<Sight> {
  let wake: (() => void) | null = null;
  let isStale = false;
  let isOver = signal?.aborted === true || waitMs === 0;
  // Before the first look, so that what is committed right after it is heard.
  const stopListening = backend.onCommit(() => {
    isStale = true;
    wake?.();
  });
  const over = () => {
    isOver = true;
    wake?.();
  };
  signal?.addEventListener('abort', over);
  // Of a mirror whose leader fell silent nobody is told anything: what waits on would only delay the end.
  const stopFollowing = following?.onStale(over);
  const cancelTimer = waitMs === null ? () => {} : clock.setTimer(waitMs, over);
  try {
    for (;;) {
      isStale = false;
      const sight = await look();
      if (isSomething(sight) || isOver) return sight;
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
