import type { StoreInfo } from '../../../shared/contract/live.ts';
import { formatCount } from '../../../shared/model/format.ts';

type Leader = NonNullable<StoreInfo['leader']>;

/** What a mirror is, and how far it can be believed [V5]. `silentSince`: since when, as a time of day. */
export function mirrorWords({ url, behind }: Leader, silentSince: string | null) {
  const revisions = behind === 1 ? '1 revision' : `${formatCount(behind)} revisions`;
  return {
    title:
      silentSince === null
        ? `A read-only mirror of ${url}.`
        : `The store at ${url} is silent since ${silentSince}.`,
    todo:
      silentSince === null
        ? 'Changes are made there and arrive here.'
        : 'This mirror shows what it was told until then, and answers nothing until it hears more. It tries again by itself.',
    behind: behind === 0 ? (silentSince === null ? 'Up to date' : '') : `${revisions} behind`,
  };
}
