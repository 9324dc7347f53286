import { t } from '@lingui/core/macro';
import { HOME_CONNECTION } from '../../../../shared/model/transport/connection-id.ts';
import { reconnectNow, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useZone } from '../../../components/time/clock.ts';
import { formatTime } from '../../../i18n/format.ts';
import { formatLostConnection } from './format-lost-connection.ts';
import { useHasElapsed } from './use-has-elapsed.ts';

/** Delay before the banner appears, to ignore short interruptions, ms. */
const UNNOTICED_MS = 400;

/** Reports a lost connection and since when. The page below is greyed out while its data is stale. */
export function ConnectionBanner() {
  const connection = useLive(state => state.connection);
  const isHome = useLive(({ at }) => at === HOME_CONNECTION);
  const known = useLive(state => state.collections !== null);
  const [zone] = useZone();
  const since = connection.is === 'lost' ? connection.since : null;
  const noticed = useHasElapsed(since, UNNOTICED_MS);
  if (connection.is !== 'lost' || !noticed || !known) return null;
  const { title, todo } = formatLostConnection(connection.why, formatTime(connection.since, zone), isHome);
  return (
    <div className="banner lost" role="alert">
      <Icon name="err" />
      <div className="banner-text">
        <b>{title}</b> {todo}
      </div>
      <Button onClick={reconnectNow}>{t`Try now`}</Button>
    </div>
  );
}
