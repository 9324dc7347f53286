import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { client, useChange } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import { FailuresPanel } from '../staging/FailuresPanel.tsx';

interface MatchingSummaryProps {
  job: Job;
  onDismiss: () => void;
  /** Shows the job that sets the deadlines back. */
  onUndone: (job: Job) => void;
}

/** Result of a change by filter. Progress is shown by its job card. */
export function MatchingSummary({ job, onDismiss, onUndone }: MatchingSummaryProps) {
  const undo = useChange({
    mutationFn: () => client.jobs.undo({ job: job.id }),
    onSuccess: onUndone,
  });
  const isGood = job.state === 'done' && (job.failedCount ?? 0) === 0;
  const [isExplained, setExplained] = useState(false);
  const failed = job.failed ?? [];
  const reason = job.error ?? t`It ended early.`;
  return (
    <>
      {isExplained && (
        <FailuresPanel failed={failed} total={processedCount(job)} onClose={() => setExplained(false)} />
      )}
      <section className={`stage ${isGood ? '' : 'bad'}`} aria-label={t`Result of the change`}>
        <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
        <span className="wrap" role={isGood ? 'status' : 'alert'}>
          <b className="t-semi">{formatJobResult(job)}</b>{' '}
          <span className="t-2">
            {job.state === 'cancelled' && t`Cancelled; documents changed so far stay changed.`}
            {job.state === 'failed' && t`${reason} Documents changed so far stay changed.`}
            {job.state !== 'done' && ' '}
            {job.endedAt !== null && `${formatDuration(job.endedAt - job.startedAt)}.`}
          </span>
        </span>
        <span className="spacer" />
        {job.undoable !== undefined && (
          <Button
            variant="ghost"
            icon="undo"
            busy={undo.isPending}
            title={t`Sets the former deadlines back where nobody has changed them since`}
            onClick={() => undo.mutate()}
          >{t`Undo`}</Button>
        )}
        {failed.length > 0 && <Button onClick={() => setExplained(true)}>{t`Show reasons`}</Button>}
        <Button variant="ghost" onClick={onDismiss}>{t`Done`}</Button>
      </section>
    </>
  );
}

/** Documents processed, changed or failed. */
const processedCount = ({ succeeded = 0, failedCount = 0 }: Job): number => succeeded + failedCount;

function formatDone({ kind, succeeded = 0 }: Job): string {
  const count = formatCount(succeeded);
  if (kind === 'delete') return t`${count} deleted`;
  if (kind === 'undo expiration') return t`${count} set back`;
  return kind === 'clear expiration' ? t`${count} cleared` : t`${count} set`;
}

/** Returns `12,409 set, 3 failed.` */
function formatJobResult(job: Job): string {
  const { unchangedCount = 0, failedCount = 0 } = job;
  const parts = [formatDone(job)];
  if (unchangedCount > 0) parts.push(t`${formatCount(unchangedCount)} left unchanged`);
  if (failedCount > 0)
    parts.push(
      job.kind === 'undo expiration'
        ? t`${formatCount(failedCount)} left as they are`
        : t`${formatCount(failedCount)} failed`,
    );
  return `${parts.join(', ')}.`;
}
