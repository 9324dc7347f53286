import type { Clock } from '../platform/clock.ts';
import { type BatchRunner, processedCount } from './batch-runner.ts';
import type { ExpiryStore, PassRecord, ReapSource } from './expiry-store.ts';
import type { NextDeadlines } from './next-deadlines.ts';
import { PassCaps } from './pass-caps.ts';
import type { Passes } from './passes.ts';
import { batchSizeOf } from './rate-limits.ts';
import { isDueAt } from './schedule/ticks.ts';

export interface ReapScope {
  collection?: string | undefined;
  index?: string | undefined;
}

export interface ManualPass {
  removed: number;
  changed: number;
  quarantined: number;
  passes: PassRecord[];
}

export interface ManualPassOptions {
  store: ExpiryStore;
  deadlines: NextDeadlines;
  batches: BatchRunner;
  passes: Passes;
  clock: Pick<Clock, 'now'>;
  yieldToCalls(): Promise<void>;
  /** Resolves when the store accepts changes again; null if it does now. */
  suspended?: (() => Promise<void> | null) | undefined;
  isStopped(): boolean;
}

/**
 * Runs one pass over the documents of `scope` that are due now, or, if the clock is set back meanwhile, then [R2, D10], even if the scope itself or a wider
 * scope is paused [R6]. Ignores rates, since a person requested it, but keeps the caps of a pass [R3]. Skips sources
 * that are held, or paused more narrowly than the scope.
 */
export async function runManualPass(
  scope: ReapScope,
  { store, deadlines, batches, passes, clock, yieldToCalls, suspended, isStopped }: ManualPassOptions,
): Promise<ManualPass> {
  const begunAt = clock.now();
  const cutoffNow = () => Math.min(begunAt, clock.now());
  const caps = new PassCaps();
  const pass: ManualPass = { removed: 0, changed: 0, quarantined: 0, passes: [] };
  const records = new Set<PassRecord>();
  const hasActed = new Set<number>();
  const isDue = (source: ReapSource) => !source.isHeld && isDueAt(deadlines.of(source), cutoffNow());
  const isWanted = (source: ReapSource) => !isSkipped(source, scope) && isDue(source);
  const wanted = store
    .sources()
    .filter(({ collection }) => scope.collection === undefined || collection === scope.collection)
    .filter(({ index }) => scope.index === undefined || index === scope.index);
  for (const [i, { key, collectionId }] of wanted.entries()) {
    for (;;) {
      const ended = suspended?.() ?? null;
      if (ended !== null) await ended;
      const source = store.sources().find(one => one.key === key);
      if (isStopped() || source === undefined || !isDue(source)) break;
      if (isSkipped(source, scope)) {
        // The source was paused during the pass.
        if (hasActed.has(collectionId)) passes.end(source, 'paused');
        break;
      }
      const capOptions = { caps: store.settings(), sources: wanted, now: begunAt };
      caps.applyLowered(source, capOptions);
      if (caps.blockedUntil(source, begunAt) > begunAt) {
        passes.end(source, 'limit');
        break;
      }
      const others = wanted.slice(i + 1).filter(other => other.collectionId === collectionId);
      const result = batches.run(source, {
        cutoff: cutoffNow(),
        maxDocuments: Math.min(batchSizeOf(source), caps.left(source, capOptions.caps)),
        trigger: 'manual',
        isLast: !others.some(isWanted),
      });
      caps.count(source, processedCount(result), { ...capOptions, caps: store.settings() });
      pass.removed += result.removed;
      pass.changed += result.changed;
      pass.quarantined += result.quarantined;
      const record = passes.of(source);
      if (record !== undefined) records.add(record);
      hasActed.add(collectionId);
      await yieldToCalls();
    }
  }
  return { ...pass, passes: [...records] };
}

/** Returns whether a pass over `scope` skips the source because it is paused more narrowly than the scope [R6]. */
export function isSkipped({ pausedAt }: ReapSource, { collection, index }: ReapScope): boolean {
  if (index !== undefined || pausedAt === null || pausedAt === 'store') return false;
  return pausedAt === 'index' || collection === undefined;
}
