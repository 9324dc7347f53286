import { Trans } from '@lingui/react/macro';
import { useCallback, useMemo, useRef, useState } from 'react';
import { offerLastRemoval } from '../../api.ts';
import type { TextBox } from '../../components/code/code-editor-props.ts';
import { useActiveRow } from '../../components/data-grid/use-active-row.ts';
import { useGridNavigation } from '../../components/data-grid/use-grid-navigation.ts';
import { useGridSelection } from '../../components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import { usePageCommands } from '../../components/navigation/page-commands.ts';
import { useCtrlEnter } from '../../components/shortcuts/use-ctrl-enter.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { MatchingSummary } from './bulk/MatchingSummary.tsx';
import { useMatching } from './bulk/use-matching.ts';
import { copyCell, copyRows } from './copy/copy-documents.ts';
import { type MenuAt, RowMenu } from './copy/RowMenu.tsx';
import { DocumentDialogs } from './DocumentDialogs.tsx';
import { DocumentsEmpty } from './DocumentsEmpty.tsx';
import { documentCommands } from './document-commands.ts';
import { DocumentDetails } from './editor/DocumentDetails.tsx';
import { UnsavedNote } from './editor/UnsavedNote.tsx';
import { useIndexesByName } from './expiration/use-indexes-by-name.ts';
import { FilterBar } from './filter/FilterBar.tsx';
import { ScopeNote } from './filter/ScopeNote.tsx';
import { StateFilter } from './filter/StateFilter.tsx';
import { documentRows } from './list/document-rows.ts';
import { SearchProgress } from './list/SearchProgress.tsx';
import { expectedRows, useDocuments } from './list/use-documents.ts';
import { useDocumentsQuery } from './list/use-documents-query.ts';
import { FailuresPanel } from './staging/FailuresPanel.tsx';
import { StageDock } from './staging/StageDock.tsx';
import { NOTHING_STAGED, unstage } from './staging/staged-edits.ts';
import { useStagedEdits } from './staging/staged-store.ts';
import { useApplyStaged } from './staging/use-apply-staged.ts';
import { useDropRemoved } from './staging/use-drop-removed.ts';
import { useUndoApplied } from './staging/use-undo-applied.ts';
import { useColumns } from './table/column-preferences.ts';
import { DocumentTable } from './table/DocumentTable.tsx';
import { keepsWriteOrder } from './table/sorting.ts';
import { useCells } from './table/use-cells.ts';
import { useStableColumns } from './table/use-stable-columns.ts';
import { useDocumentShortcuts } from './use-document-shortcuts.ts';
import { useReloadRecovery } from './use-reload-recovery.ts';
import { useRowClicks } from './use-row-clicks.ts';
import { useSelectionCommands } from './use-selection-commands.ts';

type Overlay = 'none' | 'set' | 'review' | 'new' | 'failures';

export function DocumentsView({
  collection,
  onExport,
}: {
  collection: string;
  /** `_id`s to export; null: every matching document. */
  onExport: (ids: readonly string[] | null) => void;
}) {
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

  return (
    <div ref={view} className="documents">
      <h2 className="visually-hidden">
        <Trans>Documents of {collection}</Trans>
      </h2>
      <FilterBar
        collection={collection}
        query={query}
        onChange={changeQuery}
        snapshot={snapshot}
        documents={summary?.documents ?? null}
        columns={columns}
        onNew={() => setOverlay('new')}
        boxRef={setFilterBox}
      />
      {matching.isSelected || selected.size > 0 ? (
        <BulkBar
          matching={matching}
          matches={matches}
          selection={selection}
          snapshot={snapshot}
          removed={removed.selected}
          isSetting={overlay === 'set'}
          onSetting={open => (open ? setOverlay('set') : closeOverlay())}
          onStage={edit => {
            stageFor(selected.values(), edit);
            selection.clear();
            closeOverlay();
          }}
          onDelete={() => setDeleting([...selected.keys()])}
          onExport={commands.exportTarget}
          onClear={clearSelection}
        />
      ) : (
        <StateFilter query={query} onChange={changeQuery} summary={summary}>
          <ScopeNote query={query} onChange={changeQuery} />
          <UnsavedNote collection={collection} opened={opened} onOpen={setOpened} />
          <SearchProgress snapshot={snapshot} onStop={() => pager.stop()} />
        </StateFilter>
      )}
      <div className="split">
        <div className="grid-area">
          <DocumentTable
            key={collection}
            ref={table}
            collection={collection}
            pager={pager}
            snapshot={snapshot}
            rows={rows}
            columns={columns}
            hasWriteOrder={hasWriteOrder}
            indexes={indexes}
            selected={selected}
            isAllSelected={matching.isSelected}
            staged={edits.staged}
            failures={applied.reasons}
            activeSlot={activeSlot}
            cells={cells}
            onSelectAll={all => (all ? selection.selectLoaded() : clearSelection())}
            onMenu={(slot, column, place) => {
              const row = snapshot.rowAt(slot);
              if (row === undefined) return;
              active.activate(slot);
              setMenu({ ...place, row, column });
            }}
            onPointer={holdRows}
            onPick={onPick}
            onToggle={toggle}
            onEdit={onEdit}
          />
          <DocumentsEmpty
            collection={collection}
            summary={summary}
            snapshot={snapshot}
            query={query}
            onChange={changeQuery}
            onNew={() => setOverlay('new')}
            onRetry={() => pager.resume()}
          />
        </div>
        {opened !== null && (
          <DocumentDetails
            collection={collection}
            id={opened}
            edit={edits.staged.get(opened)}
            onStage={(row, edit) => stageFor([row], edit)}
            onUnstage={() => edits.change(staged => unstage(staged, [opened]))}
            onStep={by => navigation.move(by, false)}
            onDelete={row => setDeleting([row._id])}
            onClose={() => {
              setOpened(null);
              table.current?.focus();
            }}
          />
        )}
      </div>
      {overlay === 'failures' && (
        <FailuresPanel failed={applied.failed} total={applied.total} onClose={closeOverlay} />
      )}
      {matching.ended !== null && <MatchingSummary job={matching.ended} onDismiss={matching.dismiss} />}
      <StageDock
        staged={edits.staged}
        removed={removed.staged}
        apply={applied.state}
        canUndo={edits.canUndo}
        onUndo={edits.undo}
        onUndoApplied={undoApplied}
        onDiscard={() => edits.change(() => NOTHING_STAGED)}
        onReview={() => setOverlay('review')}
        onApply={apply}
        onCancel={applied.cancel}
        onRetry={applied.retry}
        onShowFailures={() => setOverlay('failures')}
        onDismiss={() => {
          applied.forget();
          setOverlay(shown => (shown === 'failures' ? 'none' : shown));
        }}
      />
      <RowMenu
        collection={collection}
        at={menu}
        rows={menuRows}
        mayWrite={mayWrite}
        onEdit={cells.edit}
        onOpen={row => setOpened(row._id)}
        onSetExpiration={() => {
          if (menu === null) return;
          if (menuRows.length > 1) setOverlay('set');
          else setExpirationOf(menu.row);
        }}
        onDelete={() => setDeleting(menuRows.map(({ _id }) => _id))}
        onClose={() => {
          setMenu(null);
          table.current?.focus();
        }}
      />
      <DocumentDialogs
        collection={collection}
        query={query}
        matches={matches}
        edits={edits}
        selection={selection}
        matching={matching}
        open={overlay === 'review' || overlay === 'new' ? overlay : null}
        onClose={closeOverlay}
        onApply={apply}
        onInserted={setOpened}
        deleting={deleting}
        onCloseDeletion={() => setDeleting(null)}
        onDeleted={ids => {
          if (opened !== null && ids.includes(opened)) setOpened(null);
        }}
      />
    </div>
  );
}
