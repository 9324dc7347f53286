import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createTableHook,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';

const { useAppTable, createAppColumnHelper } = createTableHook({
  features: tableFeatures({
    columnOrderingFeature,
    columnSizingFeature,
    columnVisibilityFeature,
    rowSortingFeature,
  }),
  manualSorting: true,
  enableMultiSort: false,
  enableSortingRemoval: false,
});

/**
 * Columns of a grid: visibility, order, width and sort order. The engine sorts. The rows of a grid do not pass through the
 * table: most of them are not in memory, and those in sight read their cells directly.
 */
export const useGridColumns = useAppTable;
export const gridColumnsFor = createAppColumnHelper;
