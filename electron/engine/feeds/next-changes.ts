import type { Backend, ChangesPage, ChangesQuery } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { type Patience, waitForCommits } from './next-commit.ts';

/**
 * The next page of the change log that has something in it, as soon as there is one; a page without events when
 * nothing came in time. It is read from the log alone, so that whoever asks again from `next` misses nothing and is
 * told nothing twice, and costs no memory meanwhile [V3]. Throws REVISION_COMPACTED.
 */
export function nextChanges(
  engine: { backend: Pick<Backend, 'reads' | 'onCommit'>; clock: Clock },
  query: ChangesQuery,
  patience: Patience,
): Promise<ChangesPage> {
  let { from } = query;
  return waitForCommits(
    engine,
    async () => {
      for (;;) {
        const page = await engine.backend.reads.changes({ ...query, from });
        from = page.next;
        // A watch of one collection passes over what is not its own.
        if (page.events.length > 0 || page.isEnd) return page;
      }
    },
    ({ events }) => events.length > 0,
    patience,
  );
}
