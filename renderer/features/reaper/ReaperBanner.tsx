import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type LiveState, useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Quiet } from '../../components/status/Quiet.tsx';
import { Countdown, Elapsed, Instant } from '../../components/time/Time.tsx';
import { formatDiskFull, formatWaiting, withPeriod } from './format-reaper.ts';
import { resumeReaper, runPass } from './reaper-actions.ts';

function overdueInStore({ collections }: LiveState): number {
  let overdue = 0;
  for (const summary of collections?.values() ?? []) overdue += summary.overdue;
  return overdue;
}

/**
 * Shown across the page while the disk is full or removal is stopped: the required space, the user who paused it, or
 * the error.
 */
export function ReaperBanner() {
  const reaper = useLive(state => state.reaper);
  const overdue = useLive(overdueInStore);
  const mayConfigure = useRefusal('reaper.run') === null;
  if (reaper?.diskFull) {
    return (
      <div className="banner failing" role="alert">
        <Icon name="err" />
        <div className="banner-text wrap">
          <b>
            <Trans>
              The store’s disk is full since <Instant at={reaper.diskFull.since} />.
            </Trans>
          </b>{' '}
          <Quiet>{formatDiskFull(reaper.diskFull, reaper.problem === null)}</Quiet>
        </div>
      </div>
    );
  }
  if (reaper?.problem) {
    return (
      <div className="banner failing" role="alert">
        <Icon name="err" />
        <div className="banner-text wrap">
          <Trans>
            <b>
              The reaper has failed since <Instant at={reaper.problem.since} />.
            </b>{' '}
            {withPeriod(reaper.problem.message)} Next attempt in{' '}
            <Quiet>
              <Countdown at={reaper.problem.retryAt} />
            </Quiet>
            . Until then nothing is removed; no data is lost.
          </Trans>
        </div>
        {mayConfigure && <Button onClick={() => void runPass()}>{t`Try now`}</Button>}
      </div>
    );
  }
  if (!reaper?.paused) return null;
  return (
    <div className="banner paused" role="status">
      <Icon name="paused" />
      <div className="banner-text wrap">
        <b>
          <Trans>
            Paused by {reaper.paused.by} since <Instant at={reaper.paused.since} />
          </Trans>
        </b>{' '}
        (
        <Quiet>
          <Elapsed at={reaper.paused.since} />
        </Quiet>
        ). <Quiet>{formatWaiting(overdue)}</Quiet>
      </div>
      {mayConfigure && (
        <>
          <Button onClick={() => void runPass()}>{t`Run one pass`}</Button>
          <Button variant="primary" icon="running" onClick={() => void resumeReaper()}>{t`Resume`}</Button>
        </>
      )}
    </div>
  );
}
