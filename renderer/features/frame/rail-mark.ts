import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import type { IconName } from '../../components/controls/Icon.tsx';

interface RailMark {
  icon: IconName;
  word: string;
  title: string;
  isBad: boolean;
}

/** What is said of a connection that is not open; of one that is, nothing. */
export function railMark({ state }: Pick<ConnectionRecord, 'state'>): RailMark | null {
  switch (state.is) {
    case 'open':
      return null;
    case 'opening':
      return { icon: 'live', word: 'Opening', title: 'It is being opened.', isBad: false };
    case 'closed':
      return { icon: 'off', word: 'Closed', title: 'Closed by hand. Nothing expires there.', isBad: false };
    case 'failed':
      return { icon: 'err', word: 'Failed', title: state.message, isBad: true };
  }
}
