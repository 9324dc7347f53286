import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { formatHold } from '../../../shared/model/hold.ts';
import type { Monitored } from './monitored-store.ts';

/** Returns the state of the reaper [R6]. */
export function reaperState({
  backend,
  reaper,
  meters,
  clock,
  readOnly,
}: Pick<Monitored, 'backend' | 'reaper' | 'meters' | 'clock' | 'readOnly'>): ReaperState {
  const now = clock.now();
  const { isActive, nextWakeAt, problem, cutoff } = reaper.status;
  const pauses = backend.pauses();
  const store = pauses.find(({ scope }) => scope.collection === undefined)?.pause ?? null;
  const holds = backend.holds.list();
  const isHeld = holds.some(({ collection }) => collection === null);
  return {
    state: readOnly
      ? 'off'
      : problem !== null
        ? 'failing'
        : store !== null
          ? 'paused'
          : isHeld
            ? 'held'
            : 'running',
    paused: store,
    pausedCollections: pauses.flatMap(({ scope, pause }) =>
      scope.collection !== undefined && scope.index === undefined
        ? [{ collection: scope.collection, ...pause }]
        : [],
    ),
    pausedIndexes: pauses.flatMap(({ scope, pause }) =>
      scope.collection !== undefined && scope.index !== undefined
        ? [{ collection: scope.collection, index: scope.index, ...pause }]
        : [],
    ),
    holds: holds.map(hold => ({ ...hold, sentence: formatHold(hold) })),
    nextWakeAt: store === null && !isHeld ? nextWakeAt : null,
    active: isActive,
    diskFull: backend.disk.full,
    ...(backend.disk.syncFailure === null ? {} : { syncFailed: true }),
    problem,
    cutoff,
    removedPerSecond: meters.store.removed.perSecond(now),
    writtenPerSecond: meters.store.written.perSecond(now),
    unswept: backend.unswept(),
  };
}
