import { plural, select, t } from '@lingui/core/macro';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { formatCount, formatInstant } from '../../../i18n/format.ts';
import { formatIndexName } from '../passes/format-pass.ts';
import type { ExpiredTarget } from './expired-jobs.ts';
import { collectionsOf } from './expired-selection.ts';

export const ACTION_LABEL: Readonly<Record<ExpiredEntry['action'], string>> = {
  delete: t`deleted`,
  patch: t`patched`,
  replace: t`replaced`,
  move: t`moved`,
};

/** The index that acted; `deleted by hand` or `evicted by the server` if none did. */
export function formatActor({
  cause,
  index,
  isEvicted,
}: Pick<ExpiredEntry, 'cause' | 'index' | 'isEvicted'>) {
  if (isEvicted) return t`evicted by the server`;
  return cause === 'deleted' ? t`deleted by hand` : formatIndexName(index);
}

/** Returns `38 documents`, `all expired documents of carts`. */
export function formatTarget(target: ExpiredTarget): string {
  if ('chosen' in target) return plural(target.chosen.size, { one: '# document', other: '# documents' });
  if (!('span' in target)) return t`all expired documents`;
  const { cause, collection } = target.span;
  switch (cause) {
    case 'expired':
      return t`all expired documents of ${collection}`;
    case 'deleted':
      return t`all deleted documents of ${collection}`;
    case 'any':
      return t`all expired and deleted documents of ${collection}`;
  }
}

/**
 * Returns `the 2,000 that expired by idle_2h before 14:32:38`, or `those that …` while the number is not known; empty
 * without a span.
 */
export function formatSpan(target: ExpiredTarget, now: number, zone: Zone): string {
  if (!('span' in target)) return '';
  const { removedFrom, removedTo, cause } = target.span;
  const end = formatInstant(removedTo, now, zone);
  const start = removedFrom === undefined ? null : formatInstant(removedFrom, now, zone);
  const when = start === null ? t`before ${end}` : t`from ${start} to ${end}`;
  const index = target.span.index === undefined ? null : formatIndexName(target.span.index);
  if (target.count === null) {
    return index === null
      ? t`those that ${select(cause, { deleted: 'were deleted', any: 'left', other: 'expired' })} ${when}`
      : t`those that ${select(cause, { deleted: 'were deleted', any: 'left', other: 'expired' })} by ${index} ${when}`;
  }
  const count = formatCount(target.count);
  return index === null
    ? t`the ${count} that ${select(cause, { deleted: 'were deleted', any: 'left', other: 'expired' })} ${when}`
    : t`the ${count} that ${select(cause, { deleted: 'were deleted', any: 'left', other: 'expired' })} by ${index} ${when}`;
}

/** The name to type before a purge: that of the collection if only one is concerned, else that of the store. */
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
  const done = formatCount(succeeded);
  const rest = formatCount(failedCount);
  if (state === 'cancelled')
    return failedCount === 0
      ? t`${done} restored, then cancelled.`
      : t`${done} restored, ${rest} not, then cancelled.`;
  return failedCount === 0 ? t`${done} restored.` : t`${done} restored, ${rest} not.`;
}

/** A cancelled purge removed copies and erased nothing from the file. */
export function formatPurged({ state, done }: Job): string {
  if (state === 'cancelled')
    return t`The purge was cancelled. Copies purged so far are not restorable any more, but not erased from the file.`;
  return t`${plural(done, { one: '# document', other: '# documents' })} purged from restorable copies, change log and file.`;
}

const FOLLOWERS_NAMED = 3;

/** Notes that backups and exports are not purged, and names the first pending followers [X4]. */
export function formatNotErased(followers: readonly string[]): string {
  const count = followers.length;
  if (count === 0) return t`Copies in backups and exports are not erased.`;
  const first = followers.slice(0, FOLLOWERS_NAMED).join(', ');
  const more = formatCount(count - FOLLOWERS_NAMED);
  const names = count > FOLLOWERS_NAMED ? t`${first} and ${more} more` : first;
  return t`Copies in backups and exports are not erased. Pending until erased by ${plural(count, { one: 'follower', other: 'followers' })} ${names}.`;
}
