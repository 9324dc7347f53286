import { Checkbox } from '../../../components/controls/Checkbox.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { ResizeHandle } from '../../../components/data-grid/ResizeHandle.tsx';
import { useRovingHead } from '../../../components/data-grid/use-roving-head.ts';
import type { DocumentsQuery } from '../list/documents-query.ts';
import type { ArrangedColumns } from './column-preferences.ts';
import type { Column } from './columns.ts';
import { sortOf } from './sorting.ts';

interface TableHeadProps {
  columns: ArrangedColumns;
  query: DocumentsQuery;
  /** An index keeps the order of the last writes. */
  hasWriteOrder: boolean;
  onSort: (sort: DocumentsQuery['sort']) => void;
  selected: 'none' | 'some' | 'all';
  onSelectAll: (all: boolean) => void;
}

const SELECT_ALL = 'choose all';
const KEY_STEP = 16;

export function TableHead({ columns, query, hasWriteOrder, onSort, selected, onSelectAll }: TableHeadProps) {
  const named = new Map(
    columns.visible.flatMap(column => namesOf(column, hasWriteOrder).map(name => [name, column] as const)),
  );
  const roving = useRovingHead(SELECT_ALL, new Set(named.keys()), (name, by) => {
    const column = named.get(name);
    if (column !== undefined) columns.resize(column, column.width + by * KEY_STEP);
  });
  return (
    <thead>
      <tr aria-rowindex={1} onFocus={roving.onFocus} onKeyDown={roving.onKeyDown}>
        <th scope="col">
          <Checkbox
            label="Select all loaded documents"
            checked={selected === 'all'}
            indeterminate={selected === 'some'}
            tabIndex={roving.tabIndexOf(SELECT_ALL)}
            data-head={SELECT_ALL}
            onChange={onSelectAll}
          />
        </th>
        {columns.visible.map(column => (
          <HeadCell
            key={column.id}
            column={column}
            columns={columns}
            query={query}
            hasWriteOrder={hasWriteOrder}
            onSort={onSort}
            tabIndexOf={roving.tabIndexOf}
          />
        ))}
        <td />
      </tr>
    </thead>
  );
}

/** Focusable parts of a column's head. */
function namesOf({ id }: Column, hasWriteOrder: boolean): string[] {
  return sortOf(id, hasWriteOrder).sort === undefined ? [`width ${id}`] : [`sort ${id}`, `width ${id}`];
}

interface HeadCellProps {
  column: Column;
  columns: ArrangedColumns;
  query: DocumentsQuery;
  hasWriteOrder: boolean;
  onSort: (sort: DocumentsQuery['sort']) => void;
  tabIndexOf: (name: string) => 0 | -1;
}

function HeadCell({ column, columns, query, hasWriteOrder, onSort, tabIndexOf }: HeadCellProps) {
  const { sort, why } = sortOf(column.id, hasWriteOrder);
  const isSorted = sort !== undefined && sort === query.sort;
  const title = <span className={column.isCode ? 'mono t-11' : ''}>{column.title}</span>;
  const direction = query.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      className={column.isNumeric ? 'num' : ''}
      aria-sort={sort === undefined ? undefined : isSorted ? direction : 'none'}
      title={why ?? column.title}
    >
      {sort === undefined ? (
        title
      ) : (
        <button
          type="button"
          className={isSorted ? 'sort' : ''}
          tabIndex={tabIndexOf(`sort ${column.id}`)}
          data-head={`sort ${column.id}`}
          onClick={() => onSort(sort)}
        >
          {title}
          {isSorted && <Icon name={query.order === 'asc' ? 'up' : 'down'} size={12} />}
        </button>
      )}
      <ResizeHandle
        column={column}
        tabIndex={tabIndexOf(`width ${column.id}`)}
        onResize={width => columns.resize(column, width)}
      />
    </th>
  );
}
