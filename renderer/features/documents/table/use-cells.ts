import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { useRefusal } from '../../../api.ts';
import type { ActiveRow } from '../../../components/data-grid/use-active-row.ts';
import { cellId } from './cell-id.ts';
import type { Column } from './columns.ts';
import { type CellEditing, useCellEdit } from './use-cell-edit.ts';

interface CellOptions {
  columns: readonly Column[];
  active: ActiveRow<DocumentRecord>;
  setOpened: Dispatch<SetStateAction<string | null>>;
  /** Opens the expiration form for one document. */
  setExpirationOf: (row: DocumentRecord) => void;
  focusTable: () => void;
}

export interface Cells {
  /** Id of the column that the arrow keys moved to; null: the row as a whole is active. */
  column: string | null;
  editing: CellEditing | null;
  /** Edits a cell in place. A deadline opens the expiration form; a cell that cannot be edited opens the document. */
  edit: (row: DocumentRecord, column: Column | undefined) => void;
  /** Shortcuts of the table. */
  moveColumn: (by: 1 | -1) => void;
  editActive: () => void;
  /** Enter: edits the active cell or, without one, opens the row. */
  open: () => void;
  leaveColumn: () => void;
}

const DEADLINES: ReadonlySet<string> = new Set(['state', 'deadline', 'from']);

/** The active cell, and the cell being edited. */
export function useCells(collection: string, options: CellOptions): Cells {
  const { columns, active, setOpened, setExpirationOf, focusTable } = options;
  const [column, setColumn] = useState<string | null>(null);
  const mayWrite = useRefusal('documents.put') === null;
  const { editing, begin } = useCellEdit(collection, focusTable);
  const at = columns.findIndex(({ id }) => id === column);

  useEffect(() => {
    if (column === null || active.index === null) return;
    document
      .getElementById(cellId(active.index, column))
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [column, active.index]);

  const edit = useCallback(
    (row: DocumentRecord, of: Column | undefined) => {
      if (mayWrite && of !== undefined && DEADLINES.has(of.id)) setExpirationOf(row);
      else if (!mayWrite || of === undefined || !begin(row, of)) setOpened(row._id);
    },
    [mayWrite, begin, setExpirationOf, setOpened],
  );
  const { row } = active;
  return {
    column,
    editing,
    edit,
    moveColumn: by => {
      const next = columns[Math.max(0, at === -1 ? 0 : at + by)];
      if (row === undefined) active.activate(0);
      if (next !== undefined) setColumn(next.id);
    },
    editActive: () => {
      const first = columns.find(({ path }) => path !== null);
      if (row !== undefined) edit(row, columns[at] ?? first);
    },
    open: () => {
      if (row === undefined) return;
      if (at === -1) setOpened(row._id);
      else edit(row, columns[at]);
    },
    leaveColumn: () => setColumn(null),
  };
}
