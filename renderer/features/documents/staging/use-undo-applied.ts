import { t } from '@lingui/core/macro';
import { useMissing } from '../../../api.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { now } from '../../../components/time/clock.ts';
import { formatCount } from '../../../i18n/format.ts';
import { undoOfApplied } from './undo-applied.ts';
import { undoJobs } from './undo-jobs.ts';
import type { AppliedStaged } from './use-apply-staged.ts';

/** Writes the former expirations of the last run; null if the run changed nothing. */
export function useUndoApplied(applied: AppliedStaged): (() => void) | null {
  const hasIndexes = useMissing('ttlIndexes') === null;
  const { written, forget, revert } = applied;
  if (applied.state.is !== 'ended' || written.edits.length === 0) return null;
  return () => {
    const { jobs = [] } = written;
    if (jobs.length > 0) {
      void undoJobs(jobs).then(isUndone => {
        if (isUndone) forget();
      });
      return;
    }
    const { edits: former, lost } = undoOfApplied(written.edits, {
      writtenAt: written.at,
      now: now(),
      hasIndexes,
    });
    if (former.size > 0) revert(former);
    else forget();
    if (lost > 0) {
      showToast({
        kind: 'info',
        title: former.size === 0 ? t`Undo is not possible` : t`${formatCount(lost)} cannot be undone`,
        detail: t`Their former deadline has passed: they would expire at once.`,
      });
    }
  };
}
