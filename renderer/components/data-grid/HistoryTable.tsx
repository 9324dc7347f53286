import { FlexRender } from '@tanstack/react-table';
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { useLatest } from '../../state/latest.ts';
import { cellsOf, classOf } from '../data-table/Cells.tsx';
import { ARIA_SORT, type DataColumnsOf, useDataTable } from '../data-table/data-table.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { DataGrid } from './DataGrid.tsx';
import { ROW_HEIGHT } from './grid-metrics.ts';
import type { GridRows } from './grid-rows.ts';
import { type GridCommands, gridShortcuts } from './grid-shortcuts.ts';
import { type HistoryLook, HistoryRow, WholeRow } from './HistoryRow.tsx';
import type { ActiveRow } from './use-active-row.ts';
import { useGridNavigation } from './use-grid-navigation.ts';
import type { GridSelection } from './use-grid-selection.ts';
import { type GridHandle, useVirtualGrid } from './use-virtual-grid.ts';

export type HistoryTableHandle = Pick<GridHandle, 'focus' | 'toTop'>;

interface HistoryTableProps<Row extends object> {
  label: string;
  /** The narrower the window, the more columns are hidden: first those of the class `extra`, then those of `spare`. */
  columns: DataColumnsOf<Row>;
  rows: GridRows<Row>;
  /** Id of the column that the rows are sorted by. */
  newestBy: string;
  /** Selection, classes and title of a row. */
  look: (row: Row) => HistoryLook;
  /** Content of a row instead of its cells; undefined: its cells. */
  renderWhole?: (row: Row) => ReactNode;
  onPick: (row: Row, index: number, event: MouseEvent) => void;
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
  /** Called when the pointer moves over the rows. */
  onPointer?: () => void;
  ref: Ref<HistoryTableHandle>;
}

const NEAR_END_ROWS = 40;

/** Table of the rows of a history that are in memory, newest first. */
export function HistoryTable<Row extends object>(props: HistoryTableProps<Row>) {
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
  const data = useMemo(() => grid.items.flatMap(({ index }) => rows.rowAt(index) ?? []), [grid.items, rows]);
  const table = useDataTable({
    columns,
    data,
    getRowId: rows.keyOf,
    state: { sorting: [{ id: props.newestBy, desc: true }] },
    manualSorting: true,
  });
  const latest = useLatest({ rows, onPick: props.onPick });
  const pick = useCallback(
    (index: number, event: MouseEvent) => {
      const row = latest.current.rows.rowAt(index);
      if (row !== undefined) latest.current.onPick(row, index, event);
    },
    [latest],
  );
  const { rowsById } = table.getRowModel();
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
        {table.getAllLeafColumns().map(({ id, columnDef: { meta } }) => (
          <col key={id} className={`col-${id} ${meta?.className ?? ''}`} style={{ width: meta?.width }} />
        ))}
      </colgroup>
      <thead>
        {table.getHeaderGroups().map(group => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers.map(header => {
              const direction = header.column.getIsSorted();
              return (
                <th
                  key={header.id}
                  scope="col"
                  className={classOf(header.column.columnDef.meta, direction === false ? '' : 'sort')}
                  aria-sort={direction === false ? undefined : ARIA_SORT[direction]}
                >
                  <FlexRender header={header} />
                </th>
              );
            })}
          </tr>
        ))}
      </thead>
      <tbody>
        {grid.items.map(({ index }) => {
          const row = rows.rowAt(index);
          if (row === undefined) return null;
          const key = rows.keyOf(row);
          const cells = rowsById[key];
          const place = { id: rowId(index), index, isActive: index === active.index };
          const whole = props.renderWhole?.(row);
          return whole !== undefined || cells === undefined ? (
            <WholeRow key={key} {...place} columns={columns.length}>
              {whole}
            </WholeRow>
          ) : (
            <HistoryRow
              key={key}
              {...place}
              {...props.look(row)}
              row={row}
              columns={columns}
              cells={() => cellsOf(cells)}
              onPick={pick}
            />
          );
        })}
      </tbody>
    </DataGrid>
  );
}
