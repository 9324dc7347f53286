import type { Backend, ChangesPage, ChangesQuery } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';

export interface Patience {
  /** How long to wait for something to be committed; null: as long as it takes. */
  waitMs: number | null;
  signal?: AbortSignal | undefined;
}

/**
 * The next page of the change log that has something in it, as soon as there is one; a page without events when
 * nothing came in time. It is read from the log alone, so that whoever asks again from `next` misses nothing and is
 * told nothing twice, and costs no memory meanwhile [V3]. Throws REVISION_COMPACTED.
 */
export async function nextChanges(
  { backend, clock }: { backend: Pick<Backend, 'reads' | 'onCommit'>; clock: Clock },
  query: ChangesQuery,
  { waitMs, signal }: Patience,
): Promise<ChangesPage> {
  let wake: (() => void) | null = null;
  let isStale = false;
  const news = () => {
    isStale = true;
    wake?.();
  };
  // Before the first look, so that what is committed right after it is heard.
  const stopListening = backend.onCommit(news);
  let isOver = false;
  const over = () => {
    isOver = true;
    wake?.();
  };
  signal?.addEventListener('abort', over);
  const cancelTimer = waitMs === null ? () => {} : clock.setTimer(waitMs, over);
  if (signal?.aborted === true || waitMs === 0) isOver = true;
  let from = query.from;
  try {
    for (;;) {
      isStale = false;
      const page = await backend.reads.changes({ ...query, from });
      from = page.next;
      if (page.events.length > 0) return page;
      // A watch of one collection has passed over what is not its own.
      if (!page.isEnd) continue;
      if (isOver) return page;
      if (isStale) continue;
      await new Promise<void>(resolve => {
        wake = resolve;
      });
      wake = null;
    }
  } finally {
    stopListening();
    signal?.removeEventListener('abort', over);
    cancelTimer();
  }
}
