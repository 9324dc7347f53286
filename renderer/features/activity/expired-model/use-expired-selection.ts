import { useCallback, useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { GridRows } from '../../../components/data-grid/grid-rows.ts';
import { type GridSelection, useGridSelection } from '../../../components/data-grid/use-grid-selection.ts';
import { now } from '../../../components/time/clock.ts';
import { isRestorable, MOST_SELECTED } from './expired-selection.ts';

export interface ExpiredSelection extends Omit<GridSelection<ExpiredEntry>, 'drop'> {
  /** Every matching entry is selected, in memory or not. */
  isSpan: boolean;
  selectSpan: () => void;
}

/** Selects restorable entries one by one, or all entries that match. A change of the filter clears the selection. */
export function useExpiredSelection(rows: GridRows<ExpiredEntry>, filter: object): ExpiredSelection {
  const selection = useGridSelection(rows, {
    scope: filter,
    canSelect: entry => isRestorable(entry, now()),
    limit: MOST_SELECTED,
  });
  const [spanFilter, setSpanFilter] = useState<unknown>(null);
  const { toggle: toggleRow, extendTo: extendRows } = selection;
  const toggle = useCallback(
    (index: number) => {
      setSpanFilter(null);
      toggleRow(index);
    },
    [toggleRow],
  );
  const extendTo = useCallback(
    (index: number) => {
      setSpanFilter(null);
      extendRows(index);
    },
    [extendRows],
  );
  return {
    selected: selection.selected,
    isSpan: spanFilter === filter,
    selectSpan: () => setSpanFilter(filter),
    toggle,
    extendTo,
    selectLoaded: () => {
      setSpanFilter(null);
      selection.selectLoaded();
    },
    set: selected => {
      setSpanFilter(null);
      selection.set(selected);
    },
    clear: () => {
      setSpanFilter(null);
      selection.clear();
    },
  };
}
