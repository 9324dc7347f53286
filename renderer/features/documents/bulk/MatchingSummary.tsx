import { useState } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { formatCount, formatDuration } from '../../../../shared/model/format.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { FailuresPanel } from '../staging/FailuresPanel.tsx';

interface MatchingEndedProps {
  job: Job;
  onDismiss: () => void;
}

/** What came of a change of all that matched; while it runs its card in the corner says how far it is. */
export function MatchingEnded({ job, onDismiss }: MatchingEndedProps) {
  const isGood = job.state === 'done' && (job.failedCount ?? 0) === 0;
  const [isExplained, setExplained] = useState(false);
  const failed = job.failed ?? [];
  return (
    <>
      {isExplained && (
        <FailuresPanel failed={failed} total={changedBy(job)} onClose={() => setExplained(false)} />
      )}
      <section className={`stage ${isGood ? '' : 'bad'}`} aria-label="Result of the change">
        <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
        <span className="wrap" role={isGood ? 'status' : 'alert'}>
          <b className="t-semi">{jobInWords(job)}</b>{' '}
          <span className="t-2">
            {job.state === 'cancelled' && 'It was cancelled; what is done stays done. '}
            {job.state === 'failed' && `${job.error ?? 'It ended early.'} What is done stays done. `}
            {job.endedAt !== null && `${formatDuration(job.endedAt - job.startedAt)}.`}
          </span>
        </span>
        <span className="spacer" />
        {failed.length > 0 && <Button onClick={() => setExplained(true)}>Show why</Button>}
        <Button variant="ghost" onClick={onDismiss}>
          Done
        </Button>
      </section>
    </>
  );
}

/** How many it was about, done or not. */
const changedBy = ({ succeeded = 0, failedCount = 0 }: Job): number => succeeded + failedCount;

const DONE: Partial<Record<Job['kind'], string>> = { delete: 'deleted', 'clear expiration': 'cleared' };

/** `12,409 set, 3 failed.` */
function jobInWords({ kind, succeeded = 0, failedCount = 0 }: Job): string {
  const done = `${formatCount(succeeded)} ${DONE[kind] ?? 'set'}`;
  return failedCount === 0 ? `${done}.` : `${done}, ${formatCount(failedCount)} failed.`;
}
