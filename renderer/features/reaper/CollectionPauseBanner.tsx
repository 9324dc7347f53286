import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useLive, useRefusal } from '../../api.ts';
import { Button, ButtonLink } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { toCollection } from '../../components/navigation/location.ts';
import { Quiet } from '../../components/status/Quiet.tsx';
import { Elapsed, Instant } from '../../components/time/Time.tsx';
import { formatWaiting } from './format-reaper.ts';
import { resumeReaper, runPass } from './reaper-actions.ts';

/** Shown on the page of a collection that has a pause of its own. */
export function CollectionPauseBanner({ collection }: { collection: string }) {
  const pause = useLive(({ reaper }) => reaper?.pausedCollections.find(one => one.collection === collection));
  const overdue = useLive(({ collections }) => collections?.get(collection)?.overdue ?? 0);
  const mayConfigure = useRefusal('reaper.resume') === null;
  if (pause === undefined) return null;
  return (
    <div className="banner paused" role="status">
      <Icon name="paused" />
      <div className="banner-text wrap">
        <b>
          <Trans>
            {collection} is paused by {pause.by} since <Instant at={pause.since} />
          </Trans>
        </b>{' '}
        (
        <Quiet>
          <Elapsed at={pause.since} />
        </Quiet>
        ). <Quiet>{formatWaiting(overdue)}</Quiet>
      </div>
      {overdue > 0 && (
        <ButtonLink
          href={toCollection(collection, 'documents', { state: 'overdue' })}
        >{t`List overdue`}</ButtonLink>
      )}
      {mayConfigure && <Button onClick={() => void runPass({ collection })}>{t`Run one pass`}</Button>}
      {mayConfigure && (
        <Button
          variant="primary"
          icon="running"
          onClick={() => void resumeReaper({ collection })}
        >{t`Resume this collection`}</Button>
      )}
    </div>
  );
}
