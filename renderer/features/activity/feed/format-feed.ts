import { formatCount, formatLag } from '../../../../shared/model/format.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { ruleName } from '../passes/format-pass.ts';
import type { Change, FeedRow } from './feed-log.ts';

type Kind = Change['kind'];
type Action = NonNullable<FeedRow['expiry']>['action'];

export const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'expire', label: 'expired' },
  { value: 'insert', label: 'inserted' },
  { value: 'update', label: 'updated' },
  { value: 'delete', label: 'deleted by hand' },
  { value: 'expiration', label: 'expiration changed' },
  { value: 'definition', label: 'definition changed' },
];

/** What an index does at the deadline, done. */
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
  expiration: { word: 'Set by hand', icon: 'soon' },
  definition: { word: 'Definition', icon: 'gear' },
};

export function changeWord({ kind, expiry }: FeedRow): { word: string; icon: IconName } {
  if (expiry !== null) return { word: ACTION_DONE[expiry.action], icon: 'glass' };
  return kind === 'expire' ? { word: 'Expired', icon: 'glass' } : WORD[kind];
}

const documents = (count: number) => `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`;

/** What a row says in full: `1,204 documents left sessions because idle_2h made them due.` */
export function rowSentence(row: FeedRow): string {
  const { kind, count, collection, expiry } = row;
  if (expiry !== null) return expirySentence(count, collection, expiry);
  switch (kind) {
    case 'insert':
      return `${documents(count)} inserted into ${collection}.`;
    case 'update':
      return `${documents(count)} of ${collection} updated.`;
    case 'delete':
      return `${documents(count)} deleted from ${collection} by hand: this is no expiry, and no copy is kept.`;
    case 'expiration':
      return `The expiration of ${documents(count)} in ${collection} was set or cleared by hand.`;
    default:
      return `A definition of ${collection} changed.`;
  }
}

function expirySentence(
  count: number,
  collection: string,
  { index, action, pass }: NonNullable<FeedRow['expiry']>,
): string {
  const them = count === 1 ? 'it' : 'them';
  const why = index === 'explicit' ? 'as was set by hand' : `since ${index} made ${them} due`;
  const done = {
    delete: `left ${collection}`,
    patch: `of ${collection} ${count === 1 ? 'was' : 'were'} patched`,
    replace: `of ${collection} ${count === 1 ? 'was' : 'were'} replaced`,
    move: `moved out of ${collection}`,
  }[action];
  const early = pass === 0 ? ' A write to the same _id completed it before the reaper came.' : '';
  return `${documents(count)} ${done}, ${why}.${early}`;
}

/** `u_91aa02`, `u_91aa02 and 8 more`. */
export function whichDocuments({ items, count }: FeedRow): string {
  const [first] = items;
  if (first === undefined) return '';
  const id = visibleText(first._id);
  return count === 1 ? id : `${id} and ${formatCount(count - 1)} more`;
}

/** The rule of an expiry; what is not one has none. */
export function byWhat({ expiry }: FeedRow): string {
  return expiry === null ? '' : ruleName(expiry.index);
}

/** The middle and the longest of the lags a row names: `p50 0.8 s, longest 1.6 s`. */
export function lagWords({ items, count, expiry }: FeedRow): string {
  if (expiry === null) return '';
  const lags = items.flatMap(({ due }) => (due === null ? [] : [due.lagMs])).sort((a, b) => a - b);
  const middle = lags[Math.floor((lags.length - 1) / 2)] ?? expiry.lagMs;
  if (count === 1) return formatLag(expiry.lagMs);
  // Of the first documents only, where not all are remembered.
  if (lags.length < count) return `longest ${formatLag(expiry.lagMs)}`;
  return `p50 ${formatLag(middle)}, longest ${formatLag(expiry.lagMs)}`;
}
