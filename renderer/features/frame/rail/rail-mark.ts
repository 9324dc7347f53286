import { t } from '@lingui/core/macro';
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
      return { icon: 'live', label: t`Opening`, title: t`Opening`, isBad: false };
    case 'closed':
      return { icon: 'off', label: t`Closed`, title: t`Closed: no document expires there.`, isBad: false };
    case 'failed':
      return { icon: 'err', label: t`Failed`, title: state.message, isBad: true };
  }
}
