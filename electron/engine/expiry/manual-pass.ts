import { type Batches, takenBy } from './batches.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import { PassCaps } from './pass-caps.ts';
import type { PassBook } from './passes.ts';
import type { ExpiryStore, PassRecord, ReapSource } from './port.ts';
import { batchSizeOf } from './rate-limits.ts';
import { isDueAt } from './schedule/ticks.ts';

export interface ReapScope {
  collection?: string | undefined;
  index?: string | undefined;
}

export interface HandPass {
  removed: number;
  changed: number;
  quarantined: number;
  passes: PassRecord[];
}

interface Parts {
  store: ExpiryStore;
  deadlines: NextDeadlines;
  batches: Batches;
  passes: PassBook;
  giveWay(): Promise<void>;
}

/**
 * One pass over what is due in `scope` at `cutoff` (epoch ms), also where the scope itself, or what it is part of, is paused
 * [R6]: as fast as it goes, since somebody asked for it, up to the caps of a pass [R3]. What is held, or paused more
 * narrowly than the scope, is left alone.
 */
export async function runByHand(
  parts: Parts,
  scope: ReapScope,
  cutoff: number,
  isStopped: () => boolean,
): Promise<HandPass> {
  const { store, deadlines, batches, passes, giveWay } = parts;
  const caps = new PassCaps();
  const pass: HandPass = { removed: 0, changed: 0, quarantined: 0, passes: [] };
  const records = new Set<PassRecord>();
  const hasActed = new Set<number>();
  const isDue = (source: ReapSource) => !source.isHeld && isDueAt(deadlines.of(source), cutoff);
  const isWanted = (source: ReapSource) => !isSpared(source, scope) && isDue(source);
  const wanted = store
    .sources()
    .filter(({ collection }) => scope.collection === undefined || collection === scope.collection)
    .filter(({ index }) => scope.index === undefined || index === scope.index);
  for (const [i, { key, collectionId }] of wanted.entries()) {
    for (;;) {
      const source = store.sources().find(one => one.key === key);
      if (isStopped() || source === undefined || !isDue(source)) break;
      if (isSpared(source, scope)) {
        // Somebody paused it during the pass.
        if (hasActed.has(collectionId)) passes.end(source, 'paused');
        break;
      }
      caps.lowered(source, store.settings(), wanted, cutoff);
      if (caps.restsUntil(source) > 0) {
        passes.end(source, 'limit');
        break;
      }
      const others = wanted.slice(i + 1).filter(other => other.collectionId === collectionId);
      const result = batches.run(source, {
        cutoff,
        most: Math.min(batchSizeOf(source), caps.left(source, store.settings())),
        trigger: 'manual',
        isLast: !others.some(isWanted),
      });
      caps.took(source, takenBy(result), store.settings(), wanted, cutoff);
      pass.removed += result.removed;
      pass.changed += result.changed;
      pass.quarantined += result.quarantined;
      records.add(passes.of(source, 'manual'));
      hasActed.add(collectionId);
      await giveWay();
    }
  }
  return { ...pass, passes: [...records] };
}

/** Returns whether a pass over `scope` leaves the source alone, since it is paused more narrowly than that [R6]. */
function isSpared({ pausedAt }: ReapSource, { collection, index }: ReapScope): boolean {
  if (index !== undefined || pausedAt === null || pausedAt === 'store') return false;
  return pausedAt === 'index' || collection === undefined;
}
