import { plural, t } from '@lingui/core/macro';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';
import { formatCount, formatLag } from '../../../i18n/format.ts';
import { formatIndexName } from '../passes/format-pass.ts';
import type { Change, FeedRow } from './feed-log.ts';

type Kind = Change['kind'];
type Action = NonNullable<FeedRow['expiry']>['action'];

export const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'expire', label: t`expired` },
  { value: 'insert', label: t`inserted` },
  { value: 'update', label: t`updated` },
  { value: 'delete', label: t`deleted by a client` },
  { value: 'expiration', label: t`expiration changed` },
  { value: 'definition', label: t`definition changed` },
];

/** Past participles of the actions. */
const ACTION_DONE: Readonly<Record<Action, string>> = {
  delete: t`Removed`,
  patch: t`Patched`,
  replace: t`Replaced`,
  move: t`Moved`,
};

const WORD: Readonly<Record<Exclude<Kind, 'expire'>, { word: string; icon: IconName }>> = {
  insert: { word: t`Inserted`, icon: 'plus' },
  update: { word: t`Updated`, icon: 'edit' },
  delete: { word: t`Deleted`, icon: 'trash' },
  expiration: { word: t`Expiration`, icon: 'soon' },
  definition: { word: t`Definition`, icon: 'gear' },
};

export function changeLabel({ kind, expiry }: FeedRow): { word: string; icon: IconName } {
  if (expiry !== null) return { word: ACTION_DONE[expiry.action], icon: 'glass' };
  return kind === 'expire' ? { word: t`Expired`, icon: 'glass' } : WORD[kind];
}

/** Returns `1,204 documents expired from sessions by index idle_2h.` */
export function formatRow(row: FeedRow): string {
  const { kind, count, collection, expiry } = row;
  if (expiry !== null) return expirySentence(count, collection, expiry);
  switch (kind) {
    case 'insert':
      return t`${plural(count, { one: '# document', other: '# documents' })} inserted into ${collection}.`;
    case 'update':
      return t`${plural(count, { one: '# document', other: '# documents' })} of ${collection} updated.`;
    case 'delete':
      return t`${plural(count, { one: '# document', other: '# documents' })} deleted from ${collection} by a client, not expired.`;
    case 'expiration':
      return t`The expiration of ${plural(count, { one: '# document', other: '# documents' })} in ${collection} was set or cleared.`;
    default:
      return t`A definition of ${collection} changed.`;
  }
}

function expirySentence(
  count: number,
  collection: string,
  { index, action, pass }: NonNullable<FeedRow['expiry']>,
): string {
  const why = index === 'explicit' ? t`by an explicit expiration` : t`by index ${index}`;
  const done = {
    delete: t`${plural(count, { one: '# document', other: '# documents' })} expired from ${collection} ${why}.`,
    patch: t`${plural(count, { one: '# document', other: '# documents' })} of ${collection} ${plural(count, { one: 'was', other: 'were' })} patched ${why}.`,
    replace: t`${plural(count, { one: '# document', other: '# documents' })} of ${collection} ${plural(count, { one: 'was', other: 'were' })} replaced ${why}.`,
    move: t`${plural(count, { one: '# document', other: '# documents' })} moved out of ${collection} ${why}.`,
  }[action];
  return pass === 0 ? `${done} ${t`A write to the same _id completed the expiry before the reaper.`}` : done;
}

/** `u_91aa02`, `u_91aa02 and 8 more`. */
export function formatDocuments({ items, count }: FeedRow): string {
  const [first] = items;
  if (first === undefined) return '';
  const id = visibleText(first._id);
  const more = formatCount(count - 1);
  return count === 1 ? id : t`${id} and ${more} more`;
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
  const longest = formatLag(expiry.lagMs);
  if (count === 1) return longest;
  // The median is known only while every document of the row is kept.
  return lags.length < count ? t`longest ${longest}` : t`p50 ${formatLag(middle)}, longest ${longest}`;
}
