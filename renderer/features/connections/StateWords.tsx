import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { STATE_LOOK } from './words.ts';

/** How it stands, and whether it takes changes, in icon and word. */
export function StateWords({ state, readOnly }: Pick<ConnectionRecord, 'state' | 'readOnly'>) {
  const { word, icon } = STATE_LOOK[state.is];
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
          <Icon name="lock" size={12} /> Read-only
        </span>
      )}
    </>
  );
}
