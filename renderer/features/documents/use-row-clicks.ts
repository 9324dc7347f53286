import {
  type Dispatch,
  type MouseEvent,
  type RefObject,
  type SetStateAction,
  useCallback,
  useRef,
} from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { ActiveRow } from '../../components/data-grid/use-active-row.ts';
import type { GridSelection } from '../../components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import type { Matching } from './bulk/use-matching.ts';
import type { DocumentPager } from './list/document-pager.ts';
import type { Column } from './table/columns.ts';
import type { Cells } from './table/use-cells.ts';

interface RowClickOptions {
  pager: DocumentPager;
  active: Pick<ActiveRow<DocumentRecord>, 'activate'>;
  selection: Pick<GridSelection<DocumentRecord>, 'toggle' | 'extendTo'>;
  matching: Pick<Matching, 'deselect'>;
  table: RefObject<GridHandle | null>;
  isOpened: boolean;
  setOpened: Dispatch<SetStateAction<string | null>>;
  cells: Pick<Cells, 'edit' | 'leaveColumn'>;
}

/** A second click within this time edits the cell, ms. The panel, which covers cells, opens after this time. */
const SECOND_CLICK_MS = 250;

/**
 * A click opens or selects a row; Shift+click selects the rows up to it; a second click edits the cell. Selecting rows
 * ends the selection of all matching documents.
 */
export function useRowClicks(options: RowClickOptions) {
  const { pager, active, selection, matching, table, isOpened, setOpened, cells } = options;
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { edit, leaveColumn } = cells;
  const { activate } = active;
  const { toggle: toggleRow, extendTo } = selection;
  const { deselect } = matching;
  const toggle = useCallback(
    (slot: number) => {
      deselect();
      toggleRow(slot);
      // Moves the focus away from the checkbox, which belongs to another document once the list is scrolled.
      activate(slot);
      table.current?.focus();
    },
    [deselect, toggleRow, activate, table],
  );
  const onPick = useCallback(
    (slot: number, event: MouseEvent, column: Column | undefined) => {
      clearTimeout(opening.current);
      activate(slot);
      leaveColumn();
      table.current?.focus();
      if (event.shiftKey) {
        deselect();
        extendTo(slot);
      } else if (event.ctrlKey || event.metaKey) toggle(slot);
      else if (event.detail < 2) {
        const id = pager.snapshot.get().rowAt(slot)?._id;
        const open = () => setOpened(opened => id ?? opened);
        if (isOpened || column === undefined || column.id === '_id') open();
        else opening.current = setTimeout(open, SECOND_CLICK_MS);
      }
    },
    [activate, leaveColumn, deselect, extendTo, toggle, table, isOpened, setOpened, pager],
  );
  const onEdit = useCallback(
    (slot: number, column: Column | undefined) => {
      clearTimeout(opening.current);
      const row = pager.snapshot.get().rowAt(slot);
      if (row !== undefined) edit(row, column);
    },
    [pager, edit],
  );
  return { toggle, onPick, onEdit };
}
