import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { formatCount, formatInstant } from '../../../i18n/format.ts';
import { formatIndexName } from '../passes/format-pass.ts';
import type { ExpiredTarget } from './expired-jobs.ts';
import { collectionsOf } from './expired-selection.ts';

export const ACTION_LABEL: Readonly<Record<ExpiredEntry['action'], string>> = {
  delete: 'deleted',
  patch: 'patched',
  replace: 'replaced',
  move: 'moved',
};

/** The index that acted; `deleted by hand` where none did. */
export const formatActor = ({ cause, index }: Pick<ExpiredEntry, 'cause' | 'index'>) =>
  cause === 'deleted' ? 'deleted by hand' : formatIndexName(index);

export const documents = (count: number) => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

const WHICH = { expired: 'expired', deleted: 'deleted', any: 'expired and deleted' } as const;

/** Returns `38 documents`, `all expired documents of carts`. */
export function formatTarget(target: ExpiredTarget): string {
  if ('chosen' in target) return documents(target.chosen.size);
  return 'span' in target
    ? `all ${WHICH[target.span.cause]} documents of ${target.span.collection}`
    : 'all expired documents';
}

/**
 * Returns `the 2,000 that expired by idle_2h before 14:32:38`, or `those that …` while the number is not known; empty
 * without a span.
 */
export function formatSpan(target: ExpiredTarget, now: number, zone: Zone): string {
  if (!('span' in target)) return '';
  const { index, removedFrom, removedTo, cause } = target.span;
  const to = formatInstant(removedTo, now, zone);
  const verb = { expired: 'expired', deleted: 'were deleted', any: 'left' }[cause];
  const parts = [
    target.count === null ? `those that ${verb}` : `the ${formatCount(target.count)} that ${verb}`,
    index !== undefined && `by ${formatIndexName(index)}`,
    removedFrom === undefined ? `before ${to}` : `from ${formatInstant(removedFrom, now, zone)} to ${to}`,
  ];
  return parts.filter(part => part !== false).join(' ');
}

/** The name to type before a purge: of the one collection concerned, else of the store. */
export function nameToType(
  target: ExpiredTarget,
  store: string,
): { name: string; of: 'collection' | 'store' } {
  if ('span' in target) return { name: target.span.collection, of: 'collection' };
  const [only, ...others] = 'chosen' in target ? collectionsOf(target.chosen.values()) : [];
  if (only === undefined || others.length > 0) return { name: store, of: 'store' };
  return { name: only, of: 'collection' };
}

/** Returns `34 restored, 4 not.` */
export function formatRestored({ state, succeeded = 0, failedCount = 0 }: Job): string {
  const done = `${formatCount(succeeded)} restored`;
  const rest = failedCount === 0 ? '' : `, ${formatCount(failedCount)} not`;
  return `${done}${rest}${state === 'cancelled' ? ', then cancelled' : ''}.`;
}

/** A cancelled purge removed copies and erased nothing from the file. */
export function formatPurged({ state, done }: Job): string {
  if (state === 'cancelled')
    return 'The purge was cancelled. Copies purged so far are not restorable any more, but not erased from the file.';
  return `${documents(done)} purged from restorable copies, change log and file.`;
}

const FOLLOWERS_NAMED = 3;

/** Notes that backups and exports are not purged, and names the first pending followers [X4]. */
export function formatNotErased(followers: readonly string[]): string {
  const outside = 'Copies in backups and exports are not erased.';
  if (followers.length === 0) return outside;
  const named = followers.slice(0, FOLLOWERS_NAMED).join(', ');
  const more = followers.length - FOLLOWERS_NAMED;
  const others = more > 0 ? ` and ${formatCount(more)} more` : '';
  return `${outside} Pending until erased by ${followers.length === 1 ? 'follower' : 'followers'} ${named}${others}.`;
}
