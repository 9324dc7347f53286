import type { ConnectionRecord } from '../../../../shared/contract/connections.ts';
import type { IconName } from '../../../components/controls/Icon.tsx';

interface RailMark {
  icon: IconName;
  label: string;
  title: string;
  isBad: boolean;
}

/** Returns the label of a connection that is not open; null: it is open. */
export function railMark({ state }: Pick<ConnectionRecord, 'state'>): RailMark | null {
  switch (state.is) {
    case 'open':
      return null;
    case 'opening':
      return { icon: 'live', label: 'Opening', title: 'Opening', isBad: false };
    case 'closed':
      return { icon: 'off', label: 'Closed', title: 'Closed: no document expires there.', isBad: false };
    case 'failed':
      return { icon: 'err', label: 'Failed', title: state.message, isBad: true };
  }
}
