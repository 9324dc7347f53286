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
  live: 'Live',
  soon: 'Soon',
  overdue: 'Overdue',
  never: 'Never',
  pinned: 'Pinned',
  quarantined: 'Quarantined',
  paused: 'Paused',
  held: 'Held',
  running: 'Running',
  off: 'Off',
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
