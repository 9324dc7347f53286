import { t } from '@lingui/core/macro';
import { client, problemOf, reportingRemovals } from '../../api.ts';
import { showToast, type ToastAction } from '../../components/overlays/toast-store.ts';
import type { FindingAction } from './findings/finding.ts';
import { formatRate } from './findings/format-finding.ts';

/** Runs the action of a finding's button and shows the result. */
export async function runFindingAction(wanted: FindingAction, then: () => void): Promise<void> {
  try {
    showToast({ kind: 'good', ...(await done(wanted)) });
    then();
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: FAILED[wanted.is], detail: message, code });
  }
}

const FAILED: Record<FindingAction['is'], string> = {
  confirm: t`Not confirmed`,
  resume: t`Not resumed`,
  limit: t`Limit not changed`,
};

async function done(
  wanted: FindingAction,
): Promise<{ title: string; detail?: string; actions?: ToastAction[] }> {
  switch (wanted.is) {
    case 'confirm':
      await reportingRemovals({}, () => client.reaper.confirm({ hold: wanted.hold }));
      return { title: t`Confirmed`, detail: t`Removal resumes.` };
    case 'resume': {
      const { collection, index } = wanted;
      const scope = { ...(collection !== null && { collection }), ...(index !== null && { index }) };
      await reportingRemovals(scope, () => client.reaper.resume(scope));
      return { title: t`${index ?? collection ?? t`The whole store`} resumed` };
    }
    case 'limit': {
      const { collection, index, before, perSecond: rate } = wanted;
      const set = (removalsPerSecond: number | null) =>
        client.ttlIndexes.update({ collection, index, limits: { removalsPerSecond } });
      await set(rate);
      const undo: ToastAction = {
        label: t`Undo`,
        onSelect: () =>
          void runFindingAction(
            { is: 'limit', collection, index, before: rate, perSecond: before },
            () => {},
          ),
      };
      return {
        title:
          rate === 0
            ? t`${index} has no rate limit`
            : t`${index} removes at most ${formatRate(rate)} a second`,
        detail: t`From its next batch on.`,
        actions: [undo],
      };
    }
  }
}
