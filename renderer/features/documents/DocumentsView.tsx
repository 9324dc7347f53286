import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { MatchingSummary } from './bulk/MatchingSummary.tsx';
import { RowMenu } from './copy/RowMenu.tsx';
import { DocumentDialogs } from './DocumentDialogs.tsx';
import { DocumentsEmpty } from './DocumentsEmpty.tsx';
import { DocumentsToolbar } from './DocumentsToolbar.tsx';
import { DocumentDetails } from './editor/DocumentDetails.tsx';
import { FailuresPanel } from './staging/FailuresPanel.tsx';
import { StageDock } from './staging/StageDock.tsx';
import { NOTHING_STAGED, unstage } from './staging/staged-edits.ts';
import { DocumentTable } from './table/DocumentTable.tsx';
import { useDocumentsPage } from './use-documents-page.ts';

export function DocumentsView({
  collection,
  onExport,
  renderDetails,
}: {
  collection: string;
  /** Returns a further section of the panel of a document. */
  renderDetails: (id: string) => ReactNode;
  /** `_id`s to export; null: every matching document. */
  onExport: (ids: readonly string[] | null) => void;
}) {
  const page = useDocumentsPage(collection, onExport);
  const {
    active,
    activeSlot,
    applied,
    apply,
    cells,
    changeQuery,
    clearSelection,
    closeOverlay,
    columns,
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
  } = page;
  return (
    <div ref={view} className="documents">
      <h2 className="visually-hidden">
        <Trans>Documents of {collection}</Trans>
      </h2>
      <DocumentsToolbar collection={collection} page={page} />
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
            renderDetails={renderDetails}
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
      {matching.ended !== null && (
        <MatchingSummary job={matching.ended} onDismiss={matching.dismiss} onUndone={matching.start} />
      )}
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
