import { BulkBar } from './bulk/BulkBar.tsx';
import { UnsavedNote } from './editor/UnsavedNote.tsx';
import { FilterBar } from './filter/FilterBar.tsx';
import { ScopeNote } from './filter/ScopeNote.tsx';
import { StateFilter } from './filter/StateFilter.tsx';
import { SearchProgress } from './list/SearchProgress.tsx';
import type { DocumentsPage } from './use-documents-page.ts';

/** The filters of the list; with selected rows, the actions on them. */
export function DocumentsToolbar({ collection, page }: { collection: string; page: DocumentsPage }) {
  const {
    changeQuery,
    clearSelection,
    closeOverlay,
    columns,
    commands,
    matches,
    matching,
    opened,
    overlay,
    pager,
    query,
    removed,
    selected,
    selection,
    setDeleting,
    setFilterBox,
    setOpened,
    setOverlay,
    snapshot,
    stageFor,
    summary,
  } = page;
  return (
    <>
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
    </>
  );
}
