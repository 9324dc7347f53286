import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { DataGrid } from './DataGrid.tsx';
import { ROW_HEIGHT } from './grid-metrics.ts';
import type { GridRows } from './grid-rows.ts';
import { type GridCommands, gridShortcuts } from './grid-shortcuts.ts';
import type { ActiveRow } from './use-active-row.ts';
import { useGridNavigation } from './use-grid-navigation.ts';
import type { GridSelection } from './use-grid-selection.ts';
import { type GridHandle, useVirtualGrid } from './use-virtual-grid.ts';

export interface HistoryColumn {
  id: string;
  title: ReactNode;
  /** Pixels; without it an equal share of the remaining width. */
  width?: number;
  isNumeric?: boolean;
  isSorted?: boolean;
  /** Hidden in narrow windows: `extra` columns first, then `spare` ones. */
  give?: 'extra' | 'spare';
}

export interface RowPlace {
  id: string;
  index: number;
  isActive: boolean;
}

export type HistoryTableHandle = Pick<GridHandle, 'focus' | 'toTop'>;

interface HistoryTableProps<Row> {
  label: string;
  columns: readonly HistoryColumn[];
  rows: GridRows<Row>;
  renderRow: (row: Row, place: RowPlace) => ReactNode;
  /** False while older rows are not in memory. */
  isWhole: boolean;
  active: ActiveRow<Row>;
  /** Absent where rows cannot be selected. */
  selection?: Pick<GridSelection<Row>, 'selected' | 'extendTo'>;
  onMoved: (row: Row) => void;
  commands: Omit<GridCommands, 'move' | 'page' | 'toEnd'>;
  onNearEnd: () => void;
  /** Whether the newest row is in sight. */
  onTop: (isAtTop: boolean) => void;
  /** The pointer moves over the rows. */
  onPointer?: () => void;
  ref: Ref<HistoryTableHandle>;
}

const NEAR_END_ROWS = 40;

/** The rows of a history that are in memory, newest first. */
export function HistoryTable<Row>(props: HistoryTableProps<Row>) {
  const { rows, columns, active, selection, onMoved, onNearEnd, onTop } = props;
  const handle = useRef<GridHandle>(null);
  const grid = useVirtualGrid(rows, { ref: handle });
  const { first, last, isAtTop } = grid;
  const isNearEnd = last + NEAR_END_ROWS >= rows.count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after rows were added the end may still be near
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, rows.count, onNearEnd]);
  useEffect(() => onTop(isAtTop), [isAtTop, onTop]);
  useImperativeHandle(props.ref, () => ({
    focus: () => handle.current?.focus(),
    toTop: () => handle.current?.toTop(),
  }));
  const navigation = useGridNavigation({ rows, active, selection, grid: handle, onMoved });
  useShortcuts(gridShortcuts({ ...navigation, ...props.commands }), {
    covers: focused => handle.current?.covers(focused) === true,
    repeats: true,
  });
  const rowId = (index: number) => `${props.label}-${index}`.replace(/\W+/g, '-');
  return (
    <DataGrid
      grid={grid}
      label={props.label}
      rowCount={props.isWhole ? rows.count : -1}
      isMultiselect={selection !== undefined}
      activeIndex={active.index}
      activeId={rowId}
      style={{ marginTop: first * ROW_HEIGHT }}
      onPointer={props.onPointer}
    >
      <colgroup>
        {columns.map(({ id, width, give = '' }) => (
          <col key={id} className={`col-${id} ${give}`} style={{ width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ id, title, isNumeric, isSorted, give }) => (
            <th
              key={id}
              scope="col"
              className={[isNumeric && 'num', isSorted && 'sort', give].filter(Boolean).join(' ')}
              aria-sort={isSorted ? 'descending' : undefined}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grid.items.map(({ index }) => {
          const row = rows.rowAt(index);
          if (row === undefined) return null;
          return props.renderRow(row, { id: rowId(index), index, isActive: index === active.index });
        })}
      </tbody>
    </DataGrid>
  );
}
