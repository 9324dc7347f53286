import type { ChangesPage, ChangesQuery, EmbeddedBackendReads } from '../backends/backend.ts';
import type { Clock } from '../platform/clock.ts';
import { type CommitSource, type WaitOptions, waitForCommits } from './next-commit.ts';

/**
 * Resolves with the next page of the change log that has events, or with a page without events after the timeout. The
 * log alone is read: a reader that continues from `next` misses no event, receives none twice, and needs no memory
 * here [V3]. Throws REVISION_COMPACTED.
 */
export function nextChanges(
  engine: { backend: CommitSource & { reads: Pick<EmbeddedBackendReads, 'changes'> }; clock: Clock },
  query: ChangesQuery,
  patience: WaitOptions,
): Promise<ChangesPage> {
  let { from } = query;
  return waitForCommits(
    engine,
    async () => {
      for (;;) {
        const page = await engine.backend.reads.changes({ ...query, from });
        from = page.next;
        // A watch of one collection skips revisions of others.
        if (page.events.length > 0 || page.isEnd) return page;
      }
    },
    ({ events }) => events.length > 0,
    patience,
  );
}
