import { type Dispatch, type MouseEvent, type RefObject, type SetStateAction, useCallback } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { ActiveRow } from '../../components/data-grid/use-active-row.ts';
import type { GridSelection } from '../../components/data-grid/use-grid-selection.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import type { Matching } from './bulk/use-matching.ts';
import type { DocumentPager } from './list/document-pager.ts';

interface RowClickOptions {
  pager: DocumentPager;
  active: Pick<ActiveRow<DocumentRecord>, 'activate'>;
  selection: Pick<GridSelection<DocumentRecord>, 'toggle' | 'extendTo'>;
  matching: Pick<Matching, 'deselect'>;
  table: RefObject<GridHandle | null>;
  setOpened: Dispatch<SetStateAction<string | null>>;
}

/** A click opens or selects a row; with Shift it selects up to it. Selecting rows ends the selection of all that match. */
export function useRowClicks({ pager, active, selection, matching, table, setOpened }: RowClickOptions) {
  const { activate } = active;
  const { toggle: toggleRow, extendTo } = selection;
  const { deselect } = matching;
  const toggle = useCallback(
    (slot: number) => {
      deselect();
      toggleRow(slot);
      // The focus leaves the checkbox, which shows another document once the list is scrolled.
      activate(slot);
      table.current?.focus();
    },
    [deselect, toggleRow, activate, table],
  );
  const onPick = useCallback(
    (slot: number, event: MouseEvent) => {
      activate(slot);
      table.current?.focus();
      if (event.shiftKey) {
        deselect();
        extendTo(slot);
      } else if (event.ctrlKey || event.metaKey) toggle(slot);
      else setOpened(open => pager.snapshot.get().rowAt(slot)?._id ?? open);
    },
    [activate, deselect, extendTo, toggle, table, setOpened, pager],
  );
  const onOpen = useCallback(
    (slot: number) => setOpened(pager.snapshot.get().rowAt(slot)?._id ?? null),
    [pager, setOpened],
  );
  return { toggle, onPick, onOpen };
}
