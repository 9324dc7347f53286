import type { ReaperState } from '../../../../../shared/contract/reaper.ts';
import type { TableReaperStatus } from '../governed/reaper/reaper.ts';
import type { GovernanceWatch } from './governance-watch.ts';

/** Returns the state of the reaper as the contract shows it. In standby another Sandglass instance removes what is due. */
export function reaperStateOf({ snapshot, reaper, meters, now }: GovernanceWatch): ReaperState {
  const status = reaper?.status ?? null;
  const problem = problemOf(status);
  return {
    state: stateOf(snapshot.paused !== null, status, problem !== null),
    paused: snapshot.paused,
    pausedCollections: [],
    pausedIndexes: [...snapshot.indexes].flatMap(([collection, measured]) =>
      measured.flatMap(({ index: { definition } }) =>
        definition.paused === null
          ? []
          : [{ collection, index: definition.definition.name, ...definition.paused }],
      ),
    ),
    holds: [],
    nextWakeAt: status?.nextWakeAt ?? null,
    diskFull: null,
    active: status?.state === 'active',
    problem,
    cutoff: null,
    removedPerSecond: meters.store.removed.perSecond(now),
    writtenPerSecond: meters.store.written.perSecond(now),
    unswept: 0,
  };
}

function stateOf(
  isPaused: boolean,
  status: TableReaperStatus | null,
  isFailing: boolean,
): ReaperState['state'] {
  if (status === null) return 'off';
  if (isPaused) return 'paused';
  if (status.jump !== null) return 'held';
  return isFailing ? 'failing' : 'running';
}

function problemOf(status: TableReaperStatus | null): ReaperState['problem'] {
  if (status === null) return null;
  const [failure] = status.failures;
  const found = status.problem ?? failure ?? null;
  if (found === null) return null;
  const { message, since, retryAt } = found;
  const where = found === failure ? `${failure.collection}, ${failure.index}: ` : '';
  return { message: `${where}${message}`, since, retryAt };
}
