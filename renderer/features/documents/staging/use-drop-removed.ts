import { plural, t } from '@lingui/core/macro';
import { useCallback, useEffect, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { GridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import type { StagedEdits } from './staged-store.ts';
import { useRemoved } from './use-removed.ts';

export interface RemovedCounts {
  /** Number of selected documents removed since the selection was begun. */
  selected: number;
  /** Number of staged documents removed since the first edit was staged. */
  staged: number;
}

/** Deselects and unstages documents that were removed, and counts them. */
export function useDropRemoved(
  collection: string,
  selection: GridSelection<DocumentRecord>,
  edits: StagedEdits,
  isDeleting: boolean,
): RemovedCounts {
  const [removed, setRemoved] = useState<RemovedCounts>({ selected: 0, staged: 0 });
  const { selected, drop: deselect } = selection;
  const { staged, drop: unstageRemoved } = edits;

  const drop = useCallback(
    (ids: readonly string[]) => {
      const fromSelected = ids.filter(id => selected.has(id)).length;
      const fromStaged = ids.filter(id => staged.has(id)).length;
      if (fromSelected > 0) deselect(ids);
      if (fromStaged > 0) unstageRemoved(ids);
      setRemoved(before => ({
        selected: before.selected + fromSelected,
        staged: before.staged + fromStaged,
      }));
      // The bar that shows the counts is removed, so a toast shows them.
      if (fromSelected > 0 && fromSelected === selected.size) showAllRemoved(fromSelected, 'selected');
      if (fromStaged > 0 && fromStaged === staged.size) showAllRemoved(fromStaged, 'staged');
    },
    [selected, staged, deselect, unstageRemoved],
  );
  useRemoved(collection, selected, staged, isDeleting, drop);

  const isNoneSelected = selected.size === 0;
  const isNoneStaged = staged.size === 0;
  useEffect(() => {
    setRemoved(before => ({
      selected: isNoneSelected ? 0 : before.selected,
      staged: isNoneStaged ? 0 : before.staged,
    }));
  }, [isNoneSelected, isNoneStaged]);
  return removed;
}

function showAllRemoved(count: number, what: 'selected' | 'staged'): void {
  const isStaged = what === 'staged';
  showToast({
    kind: 'info',
    title: isStaged
      ? plural(count, {
          one: 'The staged document expired or was deleted',
          other: 'All # staged documents expired or were deleted',
        })
      : plural(count, {
          one: 'The selected document expired or was deleted',
          other: 'All # selected documents expired or were deleted',
        }),
    detail: isStaged ? t`No edit was written.` : t`The selection is empty.`,
  });
}
