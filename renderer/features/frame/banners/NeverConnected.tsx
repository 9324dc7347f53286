import { t } from '@lingui/core/macro';
import { HOME_CONNECTION } from '../../../../shared/model/transport/connection-id.ts';
import { reconnectNow, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { formatLostConnection } from './format-lost-connection.ts';

/** Replaces the page until the first connection. */
export function NeverConnected() {
  const connection = useLive(state => state.connection);
  const isHome = useLive(({ at }) => at === HOME_CONNECTION);
  if (connection.is !== 'lost') return null;
  const { title, todo } = formatLostConnection(connection.why, null, isHome);
  return (
    <div role="alert">
      <EmptyState icon="conn" title={title} actions={<Button onClick={reconnectNow}>{t`Try now`}</Button>}>
        {todo}
      </EmptyState>
    </div>
  );
}
