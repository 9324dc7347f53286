import { t } from '@lingui/core/macro';
import { client, problemOf } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';

/**
 * Sets back the deadlines that jobs have changed, the last one first, and shows a failure to begin. Running undos are
 * shown as jobs. Returns whether all of them have begun.
 */
export async function undoJobs(jobs: readonly string[]): Promise<boolean> {
  try {
    for (const job of jobs.toReversed()) await client.jobs.undo({ job });
    return true;
  } catch (error) {
    const { code, message } = problemOf(error);
    showToast({ kind: 'error', title: t`Not undone`, detail: message, code });
    return false;
  }
}
