import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { MirrorState } from '../../../../shared/contract/capabilities.ts';
import { useLive } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Quiet } from '../../../components/status/Quiet.tsx';
import { Instant, Upcoming } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';

/** Reports limits of a remote store's figures: a running scan, a gap, an unreachable server. */
export function RemoteBanner() {
  const remote = useLive(state => state.remote);
  if (remote === null) return null;
  if (remote.unreachable !== null) {
    return (
      <Banner isBad title={t`${remote.server} cannot be reached.`}>
        <span className="wrap">{remote.unreachable.reason}</span>{' '}
        <Trans>
          Since <Instant at={remote.unreachable.since} />; it is retried automatically. What is shown is the
          last known state.
        </Trans>
      </Banner>
    );
  }
  return (
    <>
      {remote.sampledOneIn !== undefined && <Sampled oneIn={remote.sampledOneIn} />}
      {remote.mirror !== null && <Mirror mirror={remote.mirror} />}
    </>
  );
}

function Sampled({ oneIn }: { oneIn: number }) {
  return (
    <Banner title={t`Figures are those of a sample: one key in ${formatCount(oneIn)}.`}>
      {t`The server has more keys than are mirrored. Lists and changes of all matching keys concern the sample only.`}
    </Banner>
  );
}

function Mirror({ mirror }: { mirror: MirrorState }) {
  if (mirror.is === 'live') return null;
  if (mirror.is === 'scanning') {
    const { done, total, reason } = mirror;
    return (
      <Banner
        title={reason === null ? t`Reading the deadlines of all keys.` : t`Reading the deadlines again.`}
      >
        <Quiet>
          {reason !== null && <span className="wrap">{reason} </span>}
          {total === null
            ? t`${formatCount(done)} keys so far. Counts grow until the end.`
            : t`${formatCount(done)} of about ${formatCount(total)} keys. Counts grow until the end.`}
        </Quiet>
      </Banner>
    );
  }
  if (mirror.is === 'as of') {
    return (
      <Banner title={t`The server sends no notifications of changed keys.`}>
        <Trans>
          All figures are as of <Instant at={mirror.scannedAt} />.
        </Trans>{' '}
        {mirror.nextScanAt !== null && (
          <Trans>
            They are read again <Upcoming at={mirror.nextScanAt} />.
          </Trans>
        )}
      </Banner>
    );
  }
  if (mirror.is === 'paused') {
    return (
      <Banner title={t`Reading the deadlines is paused.`}>
        <Trans>
          Figures are as of <Instant at={mirror.since} />.
        </Trans>
      </Banner>
    );
  }
  return (
    <Banner title={t`Figures may be out of date.`}>
      <span className="wrap">{mirror.reason}</span>{' '}
      <Trans>
        Since <Instant at={mirror.since} />; a new scan follows.
      </Trans>
    </Banner>
  );
}

function Banner({ title, isBad = false, children }: { title: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className={`banner ${isBad ? 'lost' : 'mirror'}`} role={isBad ? 'alert' : 'status'}>
      <Icon name={isBad ? 'err' : 'info'} />
      <div className="banner-text">
        <b>{title}</b> {children}
      </div>
    </div>
  );
}
