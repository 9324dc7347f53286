import { functionalUpdate } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { gridColumnsFor, useGridColumns } from '../../../components/data-grid/grid-columns.ts';
import { inConnection } from '../../../components/navigation/location.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';
import { type Column, fieldValue, SHOWN_FIELDS } from './columns.ts';
import { sortOf } from './sorting.ts';

/** Arrangement of a collection's columns, in local storage. */
interface ColumnPrefs {
  /** Columns shown or hidden by a person; others follow the default. */
  shown: Readonly<Record<string, boolean>>;
  widths: Record<string, number>;
  /** Ids in their order; empty: the default order. */
  order: string[];
}

const NONE: ColumnPrefs = { shown: {}, widths: {}, order: [] };
const NARROWEST = 48;
const WIDEST = 800;

const keyOf = (collection: string) => `sandglass.columns.${inConnection(collection)}`;

function load(collection: string): ColumnPrefs {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(collection)) ?? '{}');
    return {
      shown: recordOf(stored, 'shown', (value): value is boolean => typeof value === 'boolean'),
      widths: recordOf(stored, 'widths', (value): value is number => typeof value === 'number'),
      order: Object.values(recordOf(stored, 'order', (value): value is string => typeof value === 'string')),
    };
  } catch {
    // The text has another format: the defaults are used.
    return NONE;
  }
}

function recordOf<Value>(
  stored: unknown,
  field: string,
  is: (value: unknown) => value is Value,
): Record<string, Value> {
  if (typeof stored !== 'object' || stored === null) return {};
  const found: unknown = Object.entries(stored).find(([key]) => key === field)?.[1];
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, Value] => is(entry[1])));
}

export interface ArrangedColumns {
  /** All columns in their order; `_id` is the first. */
  all: readonly Column[];
  visible: readonly Column[];
  show(column: Column, shown: boolean): void;
  resize(column: Column, width: number): void;
  /**
   * Moves a column past its neighbour, 1 to the right, -1 to the left. Without `among`, the neighbour is the next
   * visible column.
   */
  move(column: Column, by: 1 | -1, among?: readonly Column[]): void;
  /** Sort order by column id; columns that cannot be sorted by are left out. */
  sorted: ReadonlyMap<string, 'none' | 'asc' | 'desc'>;
  /** Sorts by a column; if the table is already sorted by it, reverses the direction. */
  toggleSort(column: Column): void;
  reset(): void;
}

interface Sorting {
  query: DocumentsQuery;
  hasWriteOrder: boolean;
  onSort: (change: Pick<DocumentsQuery, 'sort' | 'order'>) => void;
}

const definition = gridColumnsFor<DocumentRecord>();
const NO_ROWS: readonly DocumentRecord[] = [];

export function useColumns(
  collection: string,
  columns: readonly Column[],
  { query, hasWriteOrder, onSort }: Sorting,
): ArrangedColumns {
  const [prefs, setPrefs] = useState({ collection, value: load(collection) });
  const current = prefs.collection === collection ? prefs.value : load(collection);

  function change(next: ColumnPrefs): void {
    localStorage.setItem(keyOf(collection), JSON.stringify(next));
    setPrefs({ collection, value: next });
  }

  const definitions = useMemo(
    () =>
      columns.map(column =>
        definition.accessor(
          ({ document }): unknown => (column.path === null ? null : fieldValue(document, column.path)),
          {
            id: column.id,
            header: column.title,
            size: column.width,
            minSize: NARROWEST,
            maxSize: WIDEST,
            enableHiding: column.id !== '_id',
            enableSorting: sortOf(column.id, hasWriteOrder).sort !== undefined,
          },
        ),
      ),
    [columns, hasWriteOrder],
  );
  const columnVisibility = useMemo(() => visibilityOf(columns, current.shown), [columns, current.shown]);
  const columnOrder = useMemo(() => orderOf(columns, current.order), [columns, current.order]);
  const sorting = useMemo(
    () => [{ id: query.sort, desc: query.order === 'desc' }],
    [query.sort, query.order],
  );
  const table = useGridColumns({
    columns: definitions,
    data: NO_ROWS,
    state: { columnVisibility, columnSizing: current.widths, columnOrder, sorting },
    onColumnVisibilityChange: update => {
      const next = functionalUpdate(update, columnVisibility);
      const changed = Object.entries(next).filter(([id, shown]) => columnVisibility[id] !== shown);
      change({ ...current, shown: { ...current.shown, ...Object.fromEntries(changed) } });
    },
    onColumnSizingChange: update => change({ ...current, widths: functionalUpdate(update, current.widths) }),
    onColumnOrderChange: update => change({ ...current, order: functionalUpdate(update, columnOrder) }),
    onSortingChange: update => {
      const [next] = functionalUpdate(update, sorting);
      const { sort } = sortOf(next?.id ?? '', hasWriteOrder);
      if (sort !== undefined) onSort({ sort, order: next?.desc ? 'desc' : 'asc' });
    },
  });

  const byId = new Map(columns.map(column => [column.id, column]));
  const sized = table.getAllLeafColumns().flatMap(column => {
    const known = byId.get(column.id);
    return known === undefined ? [] : [{ ...known, width: column.getSize() }];
  });
  const all = useKept(sized);
  const visible = useKept(sized.filter(({ id }) => table.getColumn(id)?.getIsVisible()));
  return {
    all,
    visible,
    show: ({ id }, shown) => table.getColumn(id)?.toggleVisibility(shown),
    resize: ({ id }, width) => table.setColumnSizing(widths => ({ ...widths, [id]: widthWithin(width) })),
    move: ({ id }, by, among = visible) => table.setColumnOrder(order => moved(order, id, among, by)),
    sorted: new Map(
      table
        .getAllLeafColumns()
        .filter(column => column.getCanSort())
        .map(column => [column.id, column.getIsSorted() || 'none']),
    ),
    toggleSort: ({ id }) => table.getColumn(id)?.toggleSorting(query.sort === id && query.order === 'asc'),
    reset: () => change(NONE),
  };
}

/** Shown by default: the fixed columns and the first fields. */
function visibilityOf(
  columns: readonly Column[],
  shown: Readonly<Record<string, boolean>>,
): Record<string, boolean> {
  const firstField = columns.findIndex(({ path }) => path !== null);
  const usual = firstField === -1 ? columns.length : firstField + SHOWN_FIELDS;
  return Object.fromEntries(columns.map(({ id }, i) => [id, id === '_id' || (shown[id] ?? i < usual)]));
}

/** Columns that a person has arranged keep their places; new ones follow. */
function orderOf(columns: readonly Column[], order: readonly string[]): string[] {
  const ids = columns.map(({ id }) => id);
  const known = order.filter(id => ids.includes(id));
  return ['_id', ...[...new Set([...known, ...ids])].filter(id => id !== '_id')];
}

/** Returns the order after moving one column past its neighbour in `among`. `_id` stays first. */
function moved(order: readonly string[], id: string, among: readonly Column[], by: 1 | -1): string[] {
  const neighbour = among[among.findIndex(column => column.id === id) + by]?.id;
  if (id === '_id' || neighbour === undefined || neighbour === '_id') return [...order];
  const next = order.filter(other => other !== id);
  next.splice(next.indexOf(neighbour) + (by === 1 ? 1 : 0), 0, id);
  return next;
}

const widthWithin = (width: number) => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));

/** Returns the same list while the columns and their widths do not change, so that rows are not rendered again. */
function useKept(columns: readonly Column[]): readonly Column[] {
  const [kept, keep] = useState(columns);
  const isSame =
    kept.length === columns.length &&
    kept.every((column, i) => {
      const other = columns[i];
      return (
        other !== undefined &&
        column.id === other.id &&
        column.width === other.width &&
        column.isNumeric === other.isNumeric
      );
    });
  if (isSame) return kept;
  keep(columns);
  return columns;
}
