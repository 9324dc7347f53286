import type { TtlIndex } from '../../../../../../shared/contract/ttl-indexes.ts';
import { definitionOf } from '../ttl/ttl-definition.ts';
import { nextDeadline } from './deadline-counts.ts';
import { passInterval } from './ttl-passes.ts';
import type { TableTtl } from './ttl-watch.ts';

/** Returns the TTL of a table as the contract shows it. */
export function toTtlIndex(
  { entry, ttl, schedule, figures, paused, seenAt }: TableTtl,
  now: number,
): TtlIndex {
  const earliestAt = figures?.earliestAt ?? null;
  const isOverdue = earliestAt !== null && earliestAt <= now;
  const never = figures?.never ?? 0;
  return {
    ...definitionOf(ttl),
    collection: entry.collection,
    state: 'ready',
    pending: null,
    successor: null,
    job: null,
    paused,
    createdAt: schedule?.createdAt ?? seenAt,
    createdBy: schedule?.owner ?? 'CockroachDB',
    documents: figures?.rows ?? 0,
    bytes: 0,
    overdue: figures?.overdue ?? 0,
    oldestOverdueAt: isOverdue ? earliestAt : null,
    actionDueAt: isOverdue ? (schedule?.nextRunAt ?? null) : null,
    passEveryMs: passInterval(ttl, now),
    quarantined: 0,
    dueNextHour: figures?.dueNextHour ?? 0,
    nextDeadlineAt: nextDeadline(figures, now),
    never: {
      count: never,
      reasons: never === 0 ? [] : [{ reason: 'missing field', count: never, examples: [] }],
    },
  };
}
