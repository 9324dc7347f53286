import { type Dispatch, type MouseEvent, type RefObject, type SetStateAction, useCallback } from 'react';
import type { Matching } from './bulk/use-matching.ts';
import type { DocumentPager } from './list/document-pager.ts';
import type { ActiveRow } from './selection/use-active-row.ts';
import type { Selection } from './selection/use-selection.ts';
import type { TableHandle } from './table/DocumentTable.tsx';

interface RowPickingInput {
  pager: DocumentPager;
  active: Pick<ActiveRow, 'activate'>;
  selection: Pick<Selection, 'toggle' | 'extendTo'>;
  matching: Pick<Matching, 'leave'>;
  table: RefObject<TableHandle | null>;
  setOpened: Dispatch<SetStateAction<string | null>>;
}

/** What a click on a row does: choose it, choose up to it, or look at it. Whoever chooses rows no longer means all. */
export function useRowPicking({ pager, active, selection, matching, table, setOpened }: RowPickingInput) {
  const { activate } = active;
  const { toggle: toggleRow, extendTo } = selection;
  const { leave } = matching;
  const toggle = useCallback(
    (slot: number) => {
      leave();
      toggleRow(slot);
      // The keys go on from here; and the box itself is another document's once the list has rolled.
      activate(slot);
      table.current?.focus();
    },
    [leave, toggleRow, activate, table],
  );
  const onPick = useCallback(
    (slot: number, event: MouseEvent) => {
      activate(slot);
      table.current?.focus();
      if (event.shiftKey) {
        leave();
        extendTo(slot);
      } else if (event.ctrlKey || event.metaKey) toggle(slot);
      else setOpened(open => pager.snapshot.get().rowAt(slot)?._id ?? open);
    },
    [activate, leave, extendTo, toggle, table, setOpened, pager],
  );
  const onOpen = useCallback(
    (slot: number) => setOpened(pager.snapshot.get().rowAt(slot)?._id ?? null),
    [pager, setOpened],
  );
  return { toggle, onPick, onOpen };
}
