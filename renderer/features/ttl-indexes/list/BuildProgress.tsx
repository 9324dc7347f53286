import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import { client, useChange, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Meter } from '../../../components/figures/Meter.tsx';
import { useShowsJob } from '../../../components/overlays/jobs-on-page.ts';
import { Note } from '../../../components/status/Note.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import classes from './build-progress.module.css';
import { timeLeft } from './remaining-time.ts';

interface BuildProgressProps {
  collection: string;
  name: string;
  job: string;
  isNew: boolean;
  onDone: () => void;
  onCancelled: () => void;
  onBack: () => void;
}

/** The progress of a build, its rate, and a button to cancel it. Until the build is complete, nothing is removed. */
export function BuildProgress({
  collection,
  name,
  job: id,
  isNew,
  onDone,
  onCancelled,
  onBack,
}: BuildProgressProps) {
  const job = useLive(state => state.jobs.get(id));
  const cancel = useChange({ mutationFn: () => client.jobs.cancel({ job: id }) });
  useShowsJob(id);
  const hasEnded = useRef(false);
  const state = job?.state;

  useEffect(() => {
    if (hasEnded.current || (state !== 'done' && state !== 'cancelled')) return;
    hasEnded.current = true;
    if (state === 'done') onDone();
    else onCancelled();
  }, [state, onDone, onCancelled]);

  if (state === 'failed') {
    return (
      <div className={classes.page}>
        <Note tone="bad">
          <Trans>
            <b className="t-semi">{name} was not built.</b> {job?.error} {collection} is unchanged, and your
            input is still in the form.
          </Trans>
        </Note>
        <div className="row">
          <Button onClick={onBack}>{t`Back to the form`}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={classes.page}>
      <section className={`panel ${classes.build}`} aria-label={t`Build of ${name}`}>
        <div className="row">
          <b className="t-semi grow" role="status">
            {job === undefined ? t`Starting` : formatProgress(job)}
          </b>
          <span className="t-2">{job !== undefined && <Left job={job} />}</span>
          <Button small busy={cancel.isPending} onClick={() => cancel.mutate()}>{t`Cancel`}</Button>
        </div>
        <Meter label={t`Build of ${name}`} done={job?.done ?? 0} total={job?.total ?? null} />
      </section>
      <p className="t-2">
        <Trans>
          You can leave this page: the build continues, and is listed with the TTL indexes of {collection}.
        </Trans>{' '}
        {isNew ? t`Cancelling leaves ${collection} unchanged.` : t`Cancelling keeps the index as it was.`}{' '}
        <Trans>No document is removed before it is complete.</Trans>
      </p>
    </div>
  );
}

export function formatProgress({ done, total }: Job): string {
  return total === null
    ? t`${formatCount(done)} documents read`
    : t`${formatCount(done)} of ${formatCount(total)} documents read`;
}

function Left({ job }: { job: Job }) {
  return useAtTick(now => {
    const ms = timeLeft(job, now);
    return ms === null ? '' : t`about ${formatDuration(ms)} left`;
  });
}
