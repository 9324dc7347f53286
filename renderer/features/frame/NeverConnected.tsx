import { HOME_CONNECTION } from '../../../shared/model/connection-id.ts';
import { reconnectNow, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/status/EmptyState.tsx';
import { connectionWords } from './connection-words.ts';

/** In the page's place while the engine has never spoken: nothing else would be true. */
export function NeverConnected() {
  const connection = useLive(state => state.connection);
  const isHome = useLive(({ at }) => at === HOME_CONNECTION);
  if (connection.is !== 'lost') return null;
  const { title, todo } = connectionWords(connection.why, null, isHome);
  return (
    <div role="alert">
      <EmptyState icon="conn" title={title} actions={<Button onClick={reconnectNow}>Try now</Button>}>
        {todo}
      </EmptyState>
    </div>
  );
}
