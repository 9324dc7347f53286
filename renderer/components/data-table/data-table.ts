import {
  createSortedRowModel,
  createTableHook,
  metaHelper,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';

/** Presentation of a column. */
export interface ColumnMeta {
  /** Class of its `col`, its heading and its cells. */
  className?: string | undefined;
  /** Class of its cells only. */
  cellClassName?: string | undefined;
  /** Aligned at the right, in digits of equal width. */
  isNumeric?: boolean;
  /** The column's cells are row headers. */
  isRowHeader?: boolean;
  /** Pixels; without it an equal share of the remaining width. */
  width?: number;
}

const { useAppTable, createAppColumnHelper } = createTableHook({
  features: tableFeatures({
    rowSortingFeature,
    sortedRowModel: createSortedRowModel(),
    sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
    columnMeta: metaHelper<ColumnMeta>(),
  }),
});

/** A table whose rows are all in memory. Columns with an accessor are sortable; unsorted, rows keep the order of `data`. */
export const useDataTable = useAppTable;
/** Returns the builder of a table's columns. */
export const columnsFor = createAppColumnHelper;
export type DataTableOf<Row extends object> = ReturnType<typeof useAppTable<Row>>;
export type DataRowOf<Row extends object> = ReturnType<DataTableOf<Row>['getRowModel']>['rows'][number];
export type DataColumnsOf<Row extends object> = DataTableOf<Row>['options']['columns'];

/** Value of `aria-sort` by sort direction. */
export const ARIA_SORT = { none: 'none', asc: 'ascending', desc: 'descending' } as const;
