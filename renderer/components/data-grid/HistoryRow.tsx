import { type MouseEvent, memo, type ReactNode } from 'react';
import { Cells, type ShownCell } from '../data-table/Cells.tsx';

interface RowPlace {
  id: string;
  index: number;
  isActive: boolean;
}

export interface HistoryLook {
  isSelected: boolean;
  className?: string | undefined;
  title?: string | undefined;
}

interface HistoryRowProps extends RowPlace, HistoryLook {
  row: object;
  columns: unknown;
  /** Called only when the row is rendered. */
  cells: () => readonly ShownCell[];
  onPick: (index: number, event: MouseEvent) => void;
}

/** Rendered again only when its data, its look or its place change. Cells read all other values from a context. */
export const HistoryRow = memo(
  ({ index, isActive, isSelected, className, cells, onPick, ...props }: HistoryRowProps) => (
    <tr
      id={props.id}
      title={props.title}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={[isSelected && 'sel', isActive && 'active', className].filter(Boolean).join(' ')}
      onClick={event => onPick(index, event)}
    >
      <Cells cells={cells()} />
    </tr>
  ),
  (before, after) =>
    before.row === after.row &&
    before.columns === after.columns &&
    before.index === after.index &&
    before.isActive === after.isActive &&
    before.isSelected === after.isSelected &&
    before.className === after.className &&
    before.title === after.title &&
    before.onPick === after.onPick,
);

/** A row of one cell. */
export function WholeRow({
  id,
  index,
  isActive,
  columns,
  children,
}: RowPlace & { columns: number; children: ReactNode }) {
  return (
    <tr id={id} aria-rowindex={index + 2} className={`gap ${isActive ? 'active' : ''}`}>
      <td colSpan={columns} className="t-3">
        {children}
      </td>
    </tr>
  );
}
