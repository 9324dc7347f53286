import type { StoreInfo } from '../../../shared/contract/live.ts';
import { formatCount } from '../../../shared/model/format.ts';

type Leader = NonNullable<StoreInfo['leader']>;

/** Before it ever told anything: it is not whole yet, and says nothing until it is. */
export function firstCopyWords({ url, behind }: Leader) {
  return {
    title: `Waiting for the store at ${url}.`,
    todo: 'This mirror shows nothing until it has all of it. It goes on by itself.',
    behind: behind === 0 ? '' : revisionsBehind(behind),
  };
}

const revisionsBehind = (behind: number) =>
  behind === 1 ? '1 revision behind' : `${formatCount(behind)} revisions behind`;

/** What a mirror is, and how far it can be believed [V5]. `silentSince`: since when, as a time of day. */
export function mirrorWords({ url, behind }: Leader, silentSince: string | null) {
  return {
    title:
      silentSince === null
        ? `A read-only mirror of ${url}.`
        : `The store at ${url} is silent since ${silentSince}.`,
    todo:
      silentSince === null
        ? 'Changes are made there and arrive here.'
        : 'This mirror shows what it was told until then, and answers nothing until it hears more. It tries again by itself.',
    behind: behind === 0 ? (silentSince === null ? 'Up to date' : '') : revisionsBehind(behind),
  };
}
