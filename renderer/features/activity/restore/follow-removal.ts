import { missingBecause } from '../../../../shared/contract/capabilities.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { type CausedRemoval, client, engineNow, liveState } from '../../../api.ts';
import { stoppedOf } from '../../../components/status/removal-stopped.ts';
import type { ExpiredTarget } from '../expired-model/expired-jobs.ts';

/** Removed documents, and the entries that restore them. */
export interface EndedRemoval {
  removal: CausedRemoval;
  /** Up to `MOST_COUNTED`. */
  count: number;
  target: ExpiredTarget;
  isRestorable: boolean;
}

/** Most pages read to count removed documents: 20,000 entries. */
const PAGE = 1_000;
const MOST_PAGES = 20;
export const MOST_COUNTED = PAGE * MOST_PAGES;

const LOOK_MS = 400;
/** Number of reads after which a removal that has not begun is not reported. */
const MOST_READS = 30;
/** Time after which the documents removed so far are reported, ms: overdue documents of a paused index stay. */
const LONGEST_MS = 600_000;

/** Resolves when the removal ended or was stopped; null: no document was removed, or the engine lists no removals. */
export async function followRemoval(removal: CausedRemoval): Promise<EndedRemoval | null> {
  const { collection, cause, dueAt = 0, job = null, isCertain = false } = removal;
  const { store } = liveState();
  if (store !== null && missingBecause(store.capabilities, 'removals') !== null) return null;
  let since: number | null = null;
  for (let reads = 0; reads < MOST_READS; ) {
    await new Promise(resolve => setTimeout(resolve, Math.max(LOOK_MS, dueAt - engineNow())));
    const { collections, reaper, jobs } = liveState();
    if (job !== null && jobs.get(job)?.state === 'running') continue;
    const summary = collections?.get(collection);
    if (summary === undefined) return null;
    since ??= engineNow();
    const isRunning = cause === 'expired' && summary.overdue > 0 && stoppedOf(collection, reaper) === null;
    if (isRunning && engineNow() - since < LONGEST_MS) continue;
    const left = await countLeft(removal);
    if (left !== null) return left;
    reads += isCertain ? 1 : MOST_READS / 3;
  }
  return null;
}

async function countLeft(removal: CausedRemoval): Promise<EndedRemoval | null> {
  const { collection, cause, index, from } = removal;
  let count = 0;
  let newest: ExpiredEntry | undefined;
  let before: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await client.metrics.expired({
      collection,
      cause,
      limit: PAGE,
      ...(before !== null && { before }),
    });
    const found = read.expired.filter(
      entry => entry.removedAt >= from && (index === undefined || entry.index === index),
    );
    newest ??= found[0];
    count += found.length;
    before = read.next;
    if (before === null || (read.expired.at(-1)?.removedAt ?? 0) < from) break;
  }
  if (newest === undefined) return null;
  const span = {
    collection,
    cause,
    removedFrom: from,
    removedTo: newest.removedAt + 1,
    ...(index !== undefined && { index }),
  };
  return { removal, count, target: { span, count }, isRestorable: newest.restorable !== null };
}
