import type { Job } from '../../../../shared/contract/jobs.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { formatCount, formatInstant } from '../../../../shared/model/format.ts';
import type { Zone } from '../../../../shared/model/zone.ts';
import { ruleName } from '../passes/format-pass.ts';
import type { LedgerTarget } from './expired-jobs.ts';
import { collectionsOf } from './expired-selection.ts';

export const ACTION_WORD: Readonly<Record<ExpiredEntry['action'], string>> = {
  delete: 'deleted',
  patch: 'patched',
  replace: 'replaced',
  move: 'moved',
};

export const documents = (count: number) => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

/** `38 documents`, `everything restorable of carts`. */
export function targetInWords(target: LedgerTarget): string {
  if ('chosen' in target) return documents(target.chosen.size);
  return 'span' in target ? `all that expired in ${target.span.collection}` : 'all that expired';
}

/** `by idle_2h, from 14:00:00 to 14:32:38`; empty where the span is a whole collection. */
export function spanInWords(target: LedgerTarget, now: number, zone: Zone): string {
  if (!('span' in target)) return '';
  const { index, removedFrom, removedTo } = target.span;
  const parts = [
    index !== undefined && `by ${ruleName(index)}`,
    removedFrom !== undefined && `from ${formatInstant(removedFrom, now, zone)}`,
    `until ${formatInstant(removedTo, now, zone)}`,
  ];
  return parts.filter(part => part !== false).join(', ');
}

/** What is to be typed before it is purged: the one collection concerned, or the store's name. */
export function nameToType(
  target: LedgerTarget,
  store: string,
): { name: string; of: 'collection' | 'store' } {
  if ('span' in target) return { name: target.span.collection, of: 'collection' };
  const [only, ...others] = 'chosen' in target ? collectionsOf(target.chosen.values()) : [];
  if (only === undefined || others.length > 0) return { name: store, of: 'store' };
  return { name: only, of: 'collection' };
}

/** `34 restored, 4 not.` */
export function restoredInWords({ state, succeeded = 0, failedCount = 0 }: Job): string {
  const done = `${formatCount(succeeded)} restored`;
  const rest = failedCount === 0 ? '' : `, ${formatCount(failedCount)} not`;
  return `${done}${rest}${state === 'cancelled' ? ', then cancelled' : ''}.`;
}

/** Whether a purge came to its end: cancelled, it lets go of copies and says nothing of erasure. */
export function purgedInWords({ state, done }: Job): string {
  if (state === 'cancelled')
    return 'The purge was cancelled. What it had reached can be restored no more; it is not erased from the file.';
  return `${documents(done)} purged: from what can be restored, from the log and from the file.`;
}

const FOLLOWERS_NAMED = 3;

/** What a purge does not reach, and which followers it waits for, the first ones by name [X4]. */
export function outsideInWords(followers: readonly string[]): string {
  const outside = 'Not reached: copies in backups and exports.';
  if (followers.length === 0) return outside;
  const named = followers.slice(0, FOLLOWERS_NAMED).join(', ');
  const more = followers.length - FOLLOWERS_NAMED;
  const others = more > 0 ? ` and ${formatCount(more)} more` : '';
  return `${outside} Pending until erased there, too: ${followers.length === 1 ? 'follower' : 'followers'} ${named}${others}.`;
}
