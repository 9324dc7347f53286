import { useCallback, useEffect, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import type { GridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import type { StagedEdits } from './staged-store.ts';
import { useGone } from './use-removed.ts';

export interface GoneCounts {
  /** Of the selection, since it was begun. */
  chosen: number;
  /** Of what is staged, since it was begun. */
  staged: number;
}

/** What has left is neither chosen nor staged any more, and how many that were is said. */
export function useDropGone(
  collection: string,
  selection: GridSelection<DocumentRecord>,
  edits: StagedEdits,
  isDeleting: boolean,
): GoneCounts {
  const [gone, setGone] = useState<GoneCounts>({ chosen: 0, staged: 0 });
  const { selected: chosen, drop: unchoose } = selection;
  const { staged, drop: giveUp } = edits;

  const drop = useCallback(
    (ids: readonly string[]) => {
      const fromChosen = ids.filter(id => chosen.has(id)).length;
      const fromStaged = ids.filter(id => staged.has(id)).length;
      if (fromChosen > 0) unchoose(ids);
      if (fromStaged > 0) giveUp(ids);
      setGone(before => ({ chosen: before.chosen + fromChosen, staged: before.staged + fromStaged }));
      // Nothing is left beside which it could be said.
      if (fromChosen > 0 && fromChosen === chosen.size) sayAllGone(fromChosen, 'selected');
      if (fromStaged > 0 && fromStaged === staged.size) sayAllGone(fromStaged, 'staged');
    },
    [chosen, staged, unchoose, giveUp],
  );
  useGone(collection, chosen, staged, isDeleting, drop);

  const isNoneChosen = chosen.size === 0;
  const isNoneStaged = staged.size === 0;
  useEffect(() => {
    setGone(before => ({
      chosen: isNoneChosen ? 0 : before.chosen,
      staged: isNoneStaged ? 0 : before.staged,
    }));
  }, [isNoneChosen, isNoneStaged]);
  return gone;
}

function sayAllGone(count: number, what: 'selected' | 'staged'): void {
  showToast({
    kind: 'info',
    title: count === 1 ? `The ${what} document is gone` : `All ${formatCount(count)} ${what} ones are gone`,
    detail:
      what === 'staged'
        ? 'Nothing of them was written, and there is nothing left to apply.'
        : 'There is nothing left to set an expiration for.',
  });
}
