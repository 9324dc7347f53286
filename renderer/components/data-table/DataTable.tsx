import { FlexRender } from '@tanstack/react-table';
import { memo, type ReactNode, useRef } from 'react';
import { Icon } from '../controls/Icon.tsx';
import { Cells, cellsOf, classOf, type ShownCell } from './Cells.tsx';
import styles from './data-table.module.css';
import { ARIA_SORT, type DataTableOf } from './data-table.ts';
import { useRowsInSight } from './rows-in-sight.ts';

interface DataTableProps<Row extends object> {
  table: DataTableOf<Row>;
  /** Accessible name. */
  label: string;
  className?: string | undefined;
  /** Whether the row is selected: it is marked, and has `aria-current`. */
  isCurrent?: (row: Row) => boolean;
  /** Content of an extra row below `row`, as wide as the table. */
  renderBelow?: (row: Row) => ReactNode;
  /** Rows of the table's foot. */
  foot?: ReactNode;
}

/** From this many rows on, only those in sight are rendered. */
const WINDOWED_FROM = 60;
/** Height of a row and of its border, px. */
const ROW_HEIGHT = 28;

/**
 * A table that is sorted by a click on a heading. A long table renders only the rows in sight of the element that
 * scrolls it.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { table, label, className = '', isCurrent } = props;
  const element = useRef<HTMLTableElement>(null);
  const { rows } = table.getRowModel();
  const columns = table.getAllLeafColumns();
  const seen = useRowsInSight({
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    windowedFrom: WINDOWED_FROM,
    element,
  });
  return (
    <table
      ref={element}
      className={`tbl ${className}`}
      aria-label={label}
      aria-rowcount={seen.isWindowed ? rows.length + 1 : undefined}
    >
      <colgroup>
        {columns.map(({ id, columnDef: { meta } }) => (
          <col key={id} className={meta?.className} style={{ width: meta?.width }} />
        ))}
      </colgroup>
      <Head table={table} />
      <tbody>
        <Gap height={seen.above} />
        {rows.slice(seen.first, seen.end).map((row, i) => (
          <BodyRow
            key={row.id}
            original={row.original}
            cells={() => cellsOf(row)}
            columns={table.options.columns}
            index={seen.isWindowed ? seen.first + i : null}
            isCurrent={isCurrent?.(row.original) ?? false}
            below={props.renderBelow?.(row.original) ?? null}
          />
        ))}
        <Gap height={seen.below} />
      </tbody>
      {props.foot !== undefined && <tfoot>{props.foot}</tfoot>}
    </table>
  );
}

/** Takes the place of rows that are not rendered. One cell, because a `colSpan` would count columns that CSS hides. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr className={styles.gap}>
      <td style={{ height }} />
    </tr>
  );
}

function Head<Row extends object>({ table }: { table: DataTableOf<Row> }) {
  return (
    <thead>
      {table.getHeaderGroups().map(group => (
        <tr key={group.id}>
          {group.headers.map(header => {
            const { column } = header;
            const direction = column.getIsSorted();
            const content = <FlexRender header={header} />;
            return (
              <th
                key={header.id}
                scope="col"
                className={classOf(column.columnDef.meta)}
                aria-sort={column.getCanSort() ? ARIA_SORT[direction || 'none'] : undefined}
              >
                {column.getCanSort() ? (
                  <button
                    type="button"
                    className={styles.sort}
                    data-direction={direction || undefined}
                    onClick={column.getToggleSortingHandler()}
                  >
                    {content}
                    {direction !== false && <Icon name={direction === 'asc' ? 'up' : 'down'} size={12} />}
                  </button>
                ) : (
                  content
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}

interface BodyRowProps {
  original: object;
  /** Called only when the row is rendered. */
  cells: () => readonly ShownCell[];
  columns: unknown;
  /** Index of the row in the whole table; null: all rows are rendered. */
  index: number | null;
  isCurrent: boolean;
  below: ReactNode;
}

/**
 * Rendered again only when its data, the columns or its place change: a live table has new row objects after each
 * update.
 */
const BodyRow = memo(
  ({ cells, index, isCurrent, below }: BodyRowProps) => {
    const shown = cells();
    return (
      <>
        <tr
          aria-rowindex={index === null ? undefined : index + 2}
          aria-current={isCurrent ? 'true' : undefined}
          className={isCurrent ? 'sel' : undefined}
        >
          <Cells cells={shown} />
        </tr>
        {below !== null && (
          <tr className={styles.below}>
            <td colSpan={shown.length}>{below}</td>
          </tr>
        )}
      </>
    );
  },
  (before, after) =>
    before.original === after.original &&
    before.columns === after.columns &&
    before.index === after.index &&
    before.isCurrent === after.isCurrent &&
    before.below === after.below,
);
