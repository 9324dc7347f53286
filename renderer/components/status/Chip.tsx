import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Icon } from '../controls/Icon.tsx';

export type ChipState =
  | 'live'
  | 'soon'
  | 'overdue'
  | 'never'
  | 'pinned'
  | 'quarantined'
  | 'paused'
  | 'held'
  | 'running'
  | 'off';

/** The label of each state; colour and icon only repeat it. */
export const STATE_WORD: Record<ChipState, string> = {
  live: t`Live`,
  soon: t`Soon`,
  overdue: t`Overdue`,
  never: t`Never`,
  pinned: t`Pinned`,
  quarantined: t`Quarantined`,
  paused: t`Paused`,
  held: t`Held`,
  running: t`Running`,
  off: t`Off`,
};

/** The state of a document, index or collection: icon, label and colour. Plain text inside `.tbl`. */
export function Chip({
  state,
  title,
  children,
}: {
  state: ChipState;
  title?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <span className={`chip ${state === 'running' ? 'ok' : state}`} title={title}>
      <Icon name={state} size={12} />
      {children ?? STATE_WORD[state]}
    </span>
  );
}
