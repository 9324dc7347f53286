import type { CollectionSummary } from '../../../../../shared/contract/collections.ts';
import type { GovernanceSnapshot } from './governance-snapshot.ts';
import { toHold } from './reaper-state.ts';

const NO_EXPLICIT = { withDeadline: 0, pinned: 0, overdue: 0, earliestAt: null };

/** Returns the summary of a table with what its TTL indexes add. */
export function summaryWith(
  given: CollectionSummary,
  oid: number,
  { indexes, explicit, holds, paused: all }: GovernanceSnapshot,
  now: number,
): CollectionSummary {
  const measured = indexes.get(given.name) ?? [];
  const { withDeadline, pinned, overdue } = explicit.get(oid) ?? NO_EXPLICIT;
  const held = holds.filter(hold => hold.oid === oid).map(toHold);
  const summary = { ...given, withDeadline, pinned, overdue, holds: held };
  if (measured.length === 0) return summary;
  const most = (read: (one: (typeof measured)[number]) => number) => Math.max(...measured.map(read));
  const earliest = measured
    .flatMap(({ index, figures: { earliestAt } }) =>
      earliestAt === null ? [] : [{ at: earliestAt, from: index.definition.definition.name }],
    )
    .toSorted((a, b) => a.at - b.at);
  const overdueAt = earliest.find(({ at }) => at <= now)?.at ?? null;
  const next = earliest.find(({ at }) => at > now) ?? null;
  const pauses = measured.flatMap(({ index }) => index.definition.paused ?? []);
  const isPaused = all !== null || pauses.length === measured.length;
  return {
    ...summary,
    withDeadline: withDeadline + most(({ figures }) => figures.rows),
    overdue: overdue + most(({ figures }) => figures.overdue),
    oldestOverdueAt: overdueAt,
    actionDueAt: overdueAt,
    nextDeadlineAt: next?.at ?? null,
    nextDeadlineFrom: next?.from ?? null,
    ttlIndexes: measured.length,
    state: isPaused ? 'paused' : held.length > 0 ? 'held' : 'running',
    paused: isPaused ? (all ?? pauses[0] ?? null) : null,
  };
}
