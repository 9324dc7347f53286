import { useCallback, useMemo, useRef, useState } from 'react';
import { offerLastRemoval } from '../../api.ts';
import type { TextBox } from '../../components/code/code-editor-props.ts';
import { useActiveRow } from '../../components/data-grid/use-active-row.ts';
import { useGridNavigation } from '../../components/data-grid/use-grid-navigation.ts';
import { useGridSelection } from '../../components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import { usePageCommands } from '../../components/navigation/page-commands.ts';
import { useCtrlEnter } from '../../components/shortcuts/use-ctrl-enter.ts';
import { useMatching } from './bulk/use-matching.ts';
import { copyCell, copyRows } from './copy/copy-documents.ts';
import type { MenuAt } from './copy/RowMenu.tsx';
import { documentCommands } from './document-commands.ts';
import { useIndexesByName } from './expiration/use-indexes-by-name.ts';
import { documentRows } from './list/document-rows.ts';
import { expectedRows, useDocuments } from './list/use-documents.ts';
import { useDocumentsQuery } from './list/use-documents-query.ts';
import { NOTHING_STAGED } from './staging/staged-edits.ts';
import { useStagedEdits } from './staging/staged-store.ts';
import { useApplyStaged } from './staging/use-apply-staged.ts';
import { useDropRemoved } from './staging/use-drop-removed.ts';
import { useUndoApplied } from './staging/use-undo-applied.ts';
import { useColumns } from './table/column-preferences.ts';
import { keepsWriteOrder } from './table/sorting.ts';
import { useCells } from './table/use-cells.ts';
import { useStableColumns } from './table/use-stable-columns.ts';
import { useDocumentShortcuts } from './use-document-shortcuts.ts';
import { useReloadRecovery } from './use-reload-recovery.ts';
import { useRowClicks } from './use-row-clicks.ts';
import { useSelectionCommands } from './use-selection-commands.ts';

type Overlay = 'none' | 'set' | 'review' | 'new' | 'failures';

/** State of the documents page: rows, selection, staged edits, overlays, and the calls of keyboard and pointer. */
export function useDocumentsPage(
  collection: string,
  /** Gets the `_id`s to export; null: every matching document. */
  onExport: (ids: readonly string[] | null) => void,
) {
  const [query, changeQuery] = useDocumentsQuery();
  const { pager, snapshot, summary, holdRows } = useDocuments(collection, query);
  const indexes = useIndexesByName(collection);
  const hasWriteOrder = indexes !== null && keepsWriteOrder(indexes.values());
  const columns = useColumns(collection, useStableColumns(collection, snapshot), {
    query,
    hasWriteOrder,
    onSort: changeQuery,
  });
  const rows = useMemo(() => documentRows(snapshot), [snapshot]);
  const active = useActiveRow(rows);
  const selection = useGridSelection(rows, { scope: pager });
  const matching = useMatching(collection, pager);
  const matches = expectedRows(summary, query);
  const edits = useStagedEdits(collection);
  const [deleting, setDeleting] = useState<readonly string[] | null>(null);
  const removed = useDropRemoved(collection, selection, edits, deleting !== null);
  const applied = useApplyStaged(collection, edits, selection);
  useReloadRecovery(collection, edits, applied);
  const undoApplied = useUndoApplied(applied);
  const [overlay, setOverlay] = useState<Overlay>('none');
  const [opened, setOpened] = useState<string | null>(null);
  // Closes the form if its documents were removed.
  const isOutdated =
    (overlay === 'set' && selection.selected.size === 0 && !matching.isSelected) ||
    (overlay === 'review' && edits.staged.size === 0);
  if (isOutdated) setOverlay('none');
  const table = useRef<GridHandle>(null);
  const filterBox = useRef<TextBox>(null);
  const setFilterBox = useCallback((box: TextBox | null) => {
    filterBox.current = box;
  }, []);

  const { selected } = selection;
  const activeSlot = active.index;
  const navigation = useGridNavigation({
    rows,
    active,
    selection,
    grid: table,
    onMoved: row => opened !== null && setOpened(row._id),
  });

  const commands = useSelectionCommands({
    active,
    selection,
    matching,
    edits,
    applied,
    table,
    onSet: useCallback(() => setOverlay('set'), []),
    onDelete: setDeleting,
    onExport,
  });
  const { mayWrite, target, clearSelection, setExpirationOf, stageFor } = commands;
  const focusTable = useCallback(() => table.current?.focus(), []);
  const cells = useCells(collection, {
    columns: columns.visible,
    active,
    setOpened,
    setExpirationOf,
    focusTable,
  });
  const [menu, setMenu] = useState<MenuAt | null>(null);
  const menuRows = menu === null ? [] : selected.has(menu.row._id) ? [...selected.values()] : [menu.row];
  const copy = () => {
    const column = columns.visible.find(({ id }) => id === cells.column);
    if (matching.isSelected) onExport(null);
    else if (column !== undefined && active.row !== undefined) void copyCell(collection, active.row, column);
    else if (target.size > 0) void copyRows(collection, [...target.values()], 'json');
  };
  const view = useRef<HTMLDivElement>(null);
  useDocumentShortcuts(
    {
      ...navigation,
      toggle: extend => {
        if (activeSlot === null) return;
        matching.deselect();
        if (extend) selection.extendTo(activeSlot);
        else selection.toggle(activeSlot);
      },
      selectLoaded: selection.selectLoaded,
      open: cells.open,
      moveColumn: cells.moveColumn,
      editCell: cells.editActive,
      copy,
      setExpiration: commands.setExpiration,
      remove: commands.remove,
      leave: () => {
        cells.leaveColumn();
        if (opened === null) clearSelection();
        else setOpened(null);
        table.current?.focus();
      },
      undo: undoApplied ?? (edits.canUndo ? edits.undo : offerLastRemoval),
      focusFilter: () => {
        filterBox.current?.focus();
        filterBox.current?.select();
      },
    },
    {
      view,
      grid: table,
      isOn: (overlay === 'none' || overlay === 'failures') && deleting === null && matching.proposed === null,
    },
  );

  const { toggle, onPick, onEdit } = useRowClicks({
    pager,
    active,
    selection,
    matching,
    table,
    isOpened: opened !== null,
    setOpened,
    cells,
  });

  const closeOverlay = () => {
    setOverlay('none');
    table.current?.focus();
  };
  const apply = () => {
    closeOverlay();
    applied.apply();
  };

  const canApply = mayWrite && edits.staged.size > 0 && applied.state.is !== 'writing';
  useCtrlEnter(apply, canApply && (overlay === 'none' || overlay === 'review'));
  usePageCommands(
    documentCommands({
      mayWrite,
      target: matching.isSelected ? 'matching' : target.size,
      staged: edits.staged.size,
      canApply,
      onNew: () => setOverlay('new'),
      onFilter: () => filterBox.current?.focus(),
      onSelectLoaded: selection.selectLoaded,
      onSelectMatching: matching.select,
      onSet: commands.setExpiration,
      onClear: commands.clearExpiration,
      onDelete: commands.remove,
      onExport: commands.exportTarget,
      onReview: () => setOverlay('review'),
      onApply: apply,
      onDiscard: () => edits.change(() => NOTHING_STAGED),
      onUndo: undoApplied ?? (edits.canUndo ? edits.undo : null),
    }),
  );

  return {
    active,
    activeSlot,
    applied,
    apply,
    cells,
    changeQuery,
    clearSelection,
    closeOverlay,
    columns,
    commands,
    deleting,
    edits,
    hasWriteOrder,
    holdRows,
    indexes,
    matches,
    matching,
    mayWrite,
    menu,
    menuRows,
    navigation,
    onEdit,
    onPick,
    opened,
    overlay,
    pager,
    query,
    removed,
    rows,
    selected,
    selection,
    setDeleting,
    setExpirationOf,
    setFilterBox,
    setMenu,
    setOpened,
    setOverlay,
    snapshot,
    stageFor,
    summary,
    table,
    toggle,
    undoApplied,
    view,
  };
}

export type DocumentsPage = ReturnType<typeof useDocumentsPage>;
