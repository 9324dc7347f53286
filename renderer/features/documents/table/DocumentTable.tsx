import { t } from '@lingui/core/macro';
import './document-rows.css';
import { type Ref, useEffect, useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { expireAfterOf } from '../../../../shared/model/ttl-index.ts';
import { DataGrid } from '../../../components/data-grid/DataGrid.tsx';
import type { GridRows } from '../../../components/data-grid/grid-rows.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { orderOfElements, renderedSlots } from '../../../components/data-grid/rendered-slots.ts';
import { type GridHandle, useVirtualGrid } from '../../../components/data-grid/use-virtual-grid.ts';
import { useDrafts } from '../editor/drafts.ts';
import { formatNeverReason } from '../expiration/format-never-reason.ts';
import { formatWait } from '../expiration/format-wait.ts';
import type { DocumentPager } from '../list/document-pager.ts';
import type { PagerSnapshot } from '../list/pager-snapshot.ts';
import type { Staged } from '../staging/staged-edits.ts';
import { cellId, rowId } from './cell-id.ts';
import type { ArrangedColumns } from './column-preferences.ts';
import type { Column } from './columns.ts';
import { columnAt, DocumentRow, type RowEvents } from './DocumentRow.tsx';
import { TableHead } from './TableHead.tsx';
import type { Cells } from './use-cells.ts';

interface DocumentTableProps extends RowEvents {
  collection: string;
  pager: DocumentPager;
  snapshot: PagerSnapshot;
  rows: GridRows<DocumentRecord>;
  columns: ArrangedColumns;
  /** Whether an index keeps the order of the last writes. */
  hasWriteOrder: boolean;
  indexes: ReadonlyMap<string, TtlIndex> | null;
  selected: Selected<DocumentRecord>;
  /** Whether every matching document is selected, in memory or not. */
  isAllSelected: boolean;
  staged: Staged;
  failures: ReadonlyMap<string, string>;
  activeSlot: number | null;
  cells: Pick<Cells, 'column' | 'editing'>;
  onSelectAll: (all: boolean) => void;
  /** `slot`: the row under the pointer or, after a key press, the active row; `place`: position in the window, px. */
  onMenu: (slot: number, column: Column | undefined, place: { x: number; y: number }) => void;
  /** Called when the pointer moves over the rows, and when a button of it is pressed or released there. */
  onPointer: (isPressed: boolean) => void;
  ref: Ref<GridHandle>;
}

const CHECK_WIDTH = 38;
const END_WIDTH = 12;
/** Idle time after which scrolling has ended, ms. */
const IDLE_MS = 300;

export function DocumentTable(props: DocumentTableProps) {
  const drafts = useDrafts(props.collection);
  const { pager, snapshot, columns, selected, staged, failures, activeSlot, cells } = props;
  const { column: activeColumn } = cells;
  const grid = useVirtualGrid(props.rows, { ref: props.ref, indexes: renderedSlots, idleMs: IDLE_MS });
  const { first, last } = grid;
  const [firstAtRest, setFirstAtRest] = useState(first);
  if (!grid.isScrolling && firstAtRest !== first) setFirstAtRest(first);
  const slots = orderOfElements(
    grid.items.map(({ index }) => index),
    firstAtRest,
  );

  useEffect(() => pager.setVisible(first, last + 1), [pager, first, last]);

  const selectedLoaded =
    selected.size === 0 ? 0 : snapshot.loaded().filter(({ _id }) => selected.has(_id)).length;
  const share = props.isAllSelected ? 'all' : shareOf(selectedLoaded, snapshot.loaded().length);
  const { hasWriteOrder, onSelectAll } = props;
  // While scrolling, the table is rendered again with every new row; the head is not.
  const head = useMemo(
    () => <TableHead {...{ columns, hasWriteOrder, onSelectAll }} selected={share} />,
    [columns, hasWriteOrder, onSelectAll, share],
  );
  const width = columns.visible.reduce((sum, column) => sum + column.width, CHECK_WIDTH + END_WIDTH);
  return (
    <DataGrid
      grid={grid}
      label={t`Documents of ${props.collection}`}
      rowCount={snapshot.isCounted ? snapshot.slots : -1}
      isMultiselect
      activeIndex={activeSlot}
      activeId={slot => (activeColumn === null ? rowId(slot) : cellId(slot, activeColumn))}
      minWidth={width}
      style={{ gridTemplateColumns: tracksOf(columns) }}
      onPointer={props.onPointer}
      onContextMenu={event => {
        const { target } = event;
        if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return;
        event.preventDefault();
        const line = target.closest('tbody > tr') ?? document.getElementById(rowId(activeSlot ?? -1));
        if (line === null) return;
        const slot = Number(line.getAttribute('aria-rowindex')) - 2;
        const { left, bottom } = line.getBoundingClientRect();
        const isKey = target.closest('tbody > tr') === null;
        const place = isKey ? { x: left + 60, y: bottom } : { x: event.clientX, y: event.clientY };
        const column = isKey
          ? columns.visible.find(({ id }) => id === activeColumn)
          : columnAt(event, columns.visible);
        props.onMenu(slot, column, place);
      }}
    >
      {head}
      <tbody>
        {slots.map(slot => {
          const row = snapshot.rowAt(slot);
          const index = row?.deadlineFrom == null ? undefined : props.indexes?.get(row.deadlineFrom);
          return (
            <DocumentRow
              key={slot % slots.length}
              row={row}
              slot={slot}
              columns={columns.visible}
              isSelected={row !== undefined && (props.isAllSelected || selected.has(row._id))}
              isActive={slot === activeSlot}
              expireAfter={index === undefined ? undefined : expireAfterOf(index.source)}
              waits={row === undefined ? null : formatWait(row)}
              never={
                row === undefined || props.indexes === null
                  ? null
                  : formatNeverReason(row, props.indexes.values())
              }
              edit={row === undefined ? undefined : staged.get(row._id)}
              failure={row === undefined ? undefined : failures.get(row._id)}
              isUnsaved={row !== undefined && drafts.has(row._id)}
              onPick={props.onPick}
              onToggle={props.onToggle}
              activeColumn={slot === activeSlot ? activeColumn : null}
              editing={row !== undefined && cells.editing?.id === row._id ? cells.editing : null}
              onEdit={props.onEdit}
            />
          );
        })}
      </tbody>
    </DataGrid>
  );
}

function shareOf(selected: number, loaded: number): 'none' | 'some' | 'all' {
  if (selected === 0) return 'none';
  return selected < loaded ? 'some' : 'all';
}

/** Grid tracks of a row: the checkbox, the columns and the remaining width. */
function tracksOf({ visible }: ArrangedColumns): string {
  return `${CHECK_WIDTH}px ${visible.map(({ width }) => `${width}px`).join(' ')} minmax(${END_WIDTH}px, 1fr)`;
}
