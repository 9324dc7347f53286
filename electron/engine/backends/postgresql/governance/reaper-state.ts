import type { Hold, ReaperState } from '../../../../../shared/contract/reaper.ts';
import { formatHold } from '../../../../../shared/model/hold.ts';
import { hasSchedule, nextScheduled } from '../../../expiry/schedule/ticks.ts';
import type { TableReaperStatus } from '../governed/reaper/reaper.ts';
import type { GovernanceSnapshot, ShownHold } from './governance-snapshot.ts';
import type { GovernanceWatch } from './governance-watch.ts';

/** Returns the state of the reaper as the contract shows it. In standby another Sandglass instance removes what is due. */
export function reaperStateOf({ snapshot, reaper, meters, now, mayReap }: GovernanceWatch): ReaperState {
  const status = reaper?.status ?? null;
  const problem = problemOf(status);
  return {
    state: stateOf(snapshot, status, problem !== null),
    ...(mayReap && !snapshot.hasSchema && { offBecause: 'not set up' as const }),
    paused: snapshot.paused,
    pausedCollections: [],
    pausedIndexes: [...snapshot.indexes].flatMap(([collection, measured]) =>
      measured.flatMap(({ index: { definition } }) =>
        definition.paused === null
          ? []
          : [{ collection, index: definition.definition.name, ...definition.paused }],
      ),
    ),
    holds: snapshot.holds.map(toHold),
    nextWakeAt: status === null ? null : nextActionAt(snapshot, status, now),
    diskFull: null,
    active: status?.isRemoving === true,
    problem,
    cutoff: null,
    removedPerSecond: meters.store.removed.perSecond(now),
    writtenPerSecond: meters.store.written.perSecond(now),
    unswept: 0,
  };
}

/**
 * Returns when something is removed next, epoch ms: at the earliest deadline or the next look of a schedule; null: there is no
 * deadline. Where no index serves the deadline of a large table, that is when the reaper looks for work again.
 */
function nextActionAt(
  { indexes, explicit }: GovernanceSnapshot,
  { nextWakeAt }: TableReaperStatus,
  now: number,
): number | null {
  const acting = [...indexes.values()]
    .flat()
    .filter(
      ({ index: { definition } }) =>
        definition.paused === null && definition.definition.schedule.mode !== 'observe',
    );
  const ofIndexes = acting.map(({ index: { definition: stored }, figures: { rows, earliestAt } }) => {
    const { definition, lookedAt } = stored;
    if (rows === 0 && earliestAt === null) return null;
    if (hasSchedule(definition)) return nextScheduled(definition, lookedAt + 1);
    return earliestAt ?? nextWakeAt ?? now;
  });
  const ofRows = [...explicit.values()].map(({ earliestAt }) => earliestAt);
  const known = [...ofIndexes, ...ofRows].filter(at => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Returns a hold as the contract shows it. */
export function toHold({ id, collection, cause, name, since, by, due, rows, durationMs }: ShownHold): Hold {
  const facts = { cause, index: name, due, documents: rows, durationMs };
  return { id, collection, ...facts, since, by, sentence: formatHold(facts) };
}

function stateOf(
  { paused, holds }: GovernanceWatch['snapshot'],
  status: TableReaperStatus | null,
  isFailing: boolean,
): ReaperState['state'] {
  if (status === null) return 'off';
  if (paused !== null) return 'paused';
  if (holds.some(({ collection }) => collection === null)) return 'held';
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
