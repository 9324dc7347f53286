import type { StoreInfo } from '../../../shared/contract/live.ts';
import { formatCount } from '../../../shared/model/format.ts';

type Leader = NonNullable<StoreInfo['leader']>;

/** Before it ever told anything: it is not whole yet, and says nothing until it is. */
export function firstCopyWords({ url, behind, problem }: Leader) {
  return {
    title: `Waiting for the store at ${url}.`,
    todo: problem ?? 'This mirror shows nothing until it has all of it. It goes on by itself.',
    behind: behind === 0 ? '' : revisionsBehind(behind),
  };
}

const revisionsBehind = (behind: number) =>
  behind === 1 ? '1 revision behind' : `${formatCount(behind)} revisions behind`;

/**
 * What a mirror is, and how far it can be believed [V5]. As times of day: `silentSince`, since when it is not up to date, and
 * `copiedAt`, when it was last copied anew because a replay failed.
 */
export function mirrorWords(
  { url, behind, problem, failedReplay }: Leader,
  silentSince: string | null,
  copiedAt: string | null = null,
) {
  const copied =
    failedReplay === null || copiedAt === null ? '' : ` Copied anew at ${copiedAt}: ${failedReplay.reason}.`;
  return {
    title:
      silentSince === null
        ? `A read-only mirror of ${url}.`
        : problem === null
          ? `The store at ${url} is silent since ${silentSince}.`
          : `Not up to date with ${url} since ${silentSince}.`,
    todo:
      silentSince === null
        ? `Changes are made there and arrive here.${copied}`
        : `${problem === null ? '' : `${problem} `}This mirror shows its last state and answers no reads until it is up to date. It tries again by itself.`,
    behind: behind === 0 ? (silentSince === null ? 'Up to date' : '') : revisionsBehind(behind),
  };
}
