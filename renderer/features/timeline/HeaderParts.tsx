import { Icon } from '../../components/controls/Icon.tsx';
import type { TimelineUnit } from './canvas/view-events.ts';
import { bucketUnit } from './model/zoom.ts';

/** The unit of a bar: `documents per 30 s, one block each`. */
export function TimelineUnitLabel({ unit, recounting }: { unit: TimelineUnit; recounting: boolean }) {
  return (
    <span className="t-12 t-3 nowrap">
      documents per {bucketUnit(unit.bucketMs)}
      {unit.blocks ? ', one block each' : ''}
      {recounting ? ', recounting' : ''}
    </span>
  );
}

export function BackToNow({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="btn s ghost"
      aria-keyshortcuts="N"
      title="Back to now  N"
      onClick={onClick}
    >
      <Icon name="glass" size={12} />
      Back to now
    </button>
  );
}

export function TableSwitch({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className="btn ghost icon s tl-table-switch"
      aria-label="Show as table"
      aria-pressed={open}
      aria-keyshortcuts="T"
      title={`${open ? 'Hide' : 'Show as'} table  T`}
      onClick={onToggle}
    >
      <Icon name="table" />
    </button>
  );
}
