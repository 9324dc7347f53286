import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Quiet } from '../../components/status/Quiet.tsx';
import { Elapsed, Instant } from '../../components/time/Time.tsx';
import { resumeReaper, runPass } from './reaper-actions.ts';

/** Shown on the page of a collection: its indexes that have a pause of their own. */
export function IndexPauseBanner({ collection }: { collection: string }) {
  const paused = useLive(({ reaper }) => reaper?.pausedIndexes);
  const mayConfigure = useRefusal('reaper.resume') === null;
  const mayRun = useRefusal('reaper.run') === null;
  const here = paused?.filter(one => one.collection === collection) ?? [];
  const [first] = here;
  if (first === undefined) return null;
  const { index, by, since } = first;
  return (
    <div className="banner paused" role="status">
      <Icon name="paused" />
      <div className="banner-text wrap">
        {here.length === 1 ? (
          <>
            <b>
              <Trans>
                {index} is paused by {by} since <Instant at={since} />
              </Trans>
            </b>{' '}
            (
            <Quiet>
              <Elapsed at={since} />
            </Quiet>
            ).{' '}
            <span>
              <Trans>What is due by it stays stored; other indexes continue.</Trans>
            </span>
          </>
        ) : (
          <>
            <b>
              <Trans>{here.length} indexes are paused:</Trans>
            </b>{' '}
            {here.map(one => one.index).join(', ')}.{' '}
            <span>
              <Trans>What is due by them stays stored; other indexes continue.</Trans>
            </span>
          </>
        )}
      </div>
      {mayRun && here.length === 1 && (
        <Button onClick={() => void runPass({ collection, index })}>{t`Run one pass`}</Button>
      )}
      {mayConfigure && (
        <Button
          variant="primary"
          icon="running"
          onClick={() => void Promise.all(here.map(one => resumeReaper({ collection, index: one.index })))}
        >
          {here.length === 1 ? t`Resume this index` : t`Resume all ${here.length}`}
        </Button>
      )}
    </div>
  );
}
