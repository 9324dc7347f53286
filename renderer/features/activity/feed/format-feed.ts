import { visibleText } from '../../../../shared/model/visible-text.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { formatCount, formatLag } from '../../../i18n/format.ts';
import { formatIndexName } from '../passes/format-pass.ts';
import type { Change, FeedRow } from './feed-log.ts';

type Kind = Change['kind'];
type Action = NonNullable<FeedRow['expiry']>['action'];

export const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'expire', label: 'expired' },
  { value: 'insert', label: 'inserted' },
  { value: 'update', label: 'updated' },
  { value: 'delete', label: 'deleted by a client' },
  { value: 'expiration', label: 'expiration changed' },
  { value: 'definition', label: 'definition changed' },
];

/** Past participles of the actions. */
const ACTION_DONE: Readonly<Record<Action, string>> = {
  delete: 'Removed',
  patch: 'Patched',
  replace: 'Replaced',
  move: 'Moved',
};

const WORD: Readonly<Record<Exclude<Kind, 'expire'>, { word: string; icon: IconName }>> = {
  insert: { word: 'Inserted', icon: 'plus' },
  update: { word: 'Updated', icon: 'edit' },
  delete: { word: 'Deleted', icon: 'trash' },
  expiration: { word: 'Expiration', icon: 'soon' },
  definition: { word: 'Definition', icon: 'gear' },
};

export function changeLabel({ kind, expiry }: FeedRow): { word: string; icon: IconName } {
  if (expiry !== null) return { word: ACTION_DONE[expiry.action], icon: 'glass' };
  return kind === 'expire' ? { word: 'Expired', icon: 'glass' } : WORD[kind];
}

const documents = (count: number) => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

/** Returns `1,204 documents expired from sessions by index idle_2h.` */
export function formatRow(row: FeedRow): string {
  const { kind, count, collection, expiry } = row;
  if (expiry !== null) return expirySentence(count, collection, expiry);
  switch (kind) {
    case 'insert':
      return `${documents(count)} inserted into ${collection}.`;
    case 'update':
      return `${documents(count)} of ${collection} updated.`;
    case 'delete':
      return `${documents(count)} deleted from ${collection} by a client, not expired.`;
    case 'expiration':
      return `The expiration of ${documents(count)} in ${collection} was set or cleared.`;
    default:
      return `A definition of ${collection} changed.`;
  }
}

function expirySentence(
  count: number,
  collection: string,
  { index, action, pass }: NonNullable<FeedRow['expiry']>,
): string {
  const why = index === 'explicit' ? 'by an explicit expiration' : `by index ${index}`;
  const done = {
    delete: `expired from ${collection}`,
    patch: `of ${collection} ${count === 1 ? 'was' : 'were'} patched`,
    replace: `of ${collection} ${count === 1 ? 'was' : 'were'} replaced`,
    move: `moved out of ${collection}`,
  }[action];
  const early = pass === 0 ? ' A write to the same _id completed the expiry before the reaper.' : '';
  return `${documents(count)} ${done} ${why}.${early}`;
}

/** `u_91aa02`, `u_91aa02 and 8 more`. */
export function formatDocuments({ items, count }: FeedRow): string {
  const [first] = items;
  if (first === undefined) return '';
  const id = visibleText(first._id);
  return count === 1 ? id : `${id} and ${formatCount(count - 1)} more`;
}

/** Name of the index that acted; empty without an expiry. */
export function formatIndex({ expiry }: FeedRow): string {
  return expiry === null ? '' : formatIndexName(expiry.index);
}

/** Returns `p50 0.8 s, longest 1.6 s`. */
export function formatRowLag({ items, count, expiry }: FeedRow): string {
  if (expiry === null) return '';
  const lags = items.flatMap(({ due }) => (due === null ? [] : [due.lagMs])).sort((a, b) => a - b);
  const middle = lags[Math.floor((lags.length - 1) / 2)] ?? expiry.lagMs;
  if (count === 1) return formatLag(expiry.lagMs);
  // The median is known only while every document of the row is kept.
  if (lags.length < count) return `longest ${formatLag(expiry.lagMs)}`;
  return `p50 ${formatLag(middle)}, longest ${formatLag(expiry.lagMs)}`;
}
