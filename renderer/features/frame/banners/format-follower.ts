import { plural, t } from '@lingui/core/macro';
import type { StoreInfo } from '../../../../shared/contract/live.ts';

type Leader = NonNullable<StoreInfo['leader']>;

/** Before the first snapshot is complete the follower answers no reads. */
export function formatFirstCopy({ url, behind, problem }: Leader) {
  return {
    title: t`Waiting for the store at ${url}.`,
    todo: problem ?? t`This follower shows no data until its first copy is complete.`,
    behind: behind === 0 ? '' : revisionsBehind(behind),
  };
}

const revisionsBehind = (behind: number) =>
  plural(behind, { one: '# revision behind', other: '# revisions behind' });

/**
 * Describes a follower and how current it is [V5]. Times of day: `silentSince`, since when it has not been up to
 * date; `copiedAt`, when it was copied again after a failed replay.
 */
export function formatFollower(
  { url, behind, problem, failedReplay }: Leader,
  silentSince: string | null,
  copiedAt: string | null = null,
) {
  const copied =
    failedReplay === null || copiedAt === null
      ? ''
      : ` ${t`Copied again at ${copiedAt}: ${failedReplay.reason}.`}`;
  return {
    title:
      silentSince === null
        ? t`Read-only follower of ${url}.`
        : problem === null
          ? t`No update from ${url} since ${silentSince}.`
          : t`Not up to date with ${url} since ${silentSince}.`,
    todo:
      silentSince === null
        ? t`Make changes there.` + copied
        : `${problem === null ? '' : `${problem} `}${t`This follower shows its last state and refuses reads until it is up to date. It retries automatically.`}`,
    behind: behind === 0 ? (silentSince === null ? t`Up to date` : '') : revisionsBehind(behind),
  };
}
