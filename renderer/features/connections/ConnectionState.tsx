import { Trans } from '@lingui/react/macro';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { STATE_LABEL } from './format-connection.ts';

/** The state of a connection, and whether it is read-only, as icon and label. */
export function ConnectionState({ state, readOnly }: Pick<ConnectionRecord, 'state' | 'readOnly'>) {
  const { word, icon } = STATE_LABEL[state.is];
  return (
    <>
      <span
        className={state.is === 'failed' ? 'c-overdue' : state.is === 'open' ? '' : 't-2'}
        title={state.is === 'failed' ? state.message : undefined}
      >
        <Icon name={icon} size={12} /> {word}
      </span>
      {readOnly && (
        <span className="t-2 nowrap">
          {' '}
          <Icon name="lock" size={12} /> <Trans>Read-only</Trans>
        </span>
      )}
    </>
  );
}
