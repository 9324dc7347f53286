import { t } from '@lingui/core/macro';
import { Icon } from '../../../components/controls/Icon.tsx';
import { ResizeHandle } from '../../../components/data-grid/ResizeHandle.tsx';
import { RowCheckbox } from '../../../components/data-grid/RowCheckbox.tsx';
import { useRovingHead } from '../../../components/data-grid/use-roving-head.ts';
import { ARIA_SORT } from '../../../components/data-table/data-table.ts';
import type { ArrangedColumns } from './column-preferences.ts';
import type { Column } from './columns.ts';
import { sortOf } from './sorting.ts';

interface TableHeadProps {
  columns: ArrangedColumns;
  /** Whether an index keeps the order of the last writes. */
  hasWriteOrder: boolean;
  selected: 'none' | 'some' | 'all';
  onSelectAll: (all: boolean) => void;
}

const SELECT_ALL = 'select-all';
const KEY_STEP = 16;

export function TableHead({ columns, hasWriteOrder, selected, onSelectAll }: TableHeadProps) {
  const named = new Map(
    columns.visible.flatMap(column => namesOf(column, columns).map(name => [name, column] as const)),
  );
  const on = (name: string, act: (column: Column) => void) => {
    const column = named.get(name);
    if (column !== undefined) act(column);
  };
  const roving = useRovingHead(SELECT_ALL, new Set(named.keys()), {
    onResize: (name, by) => on(name, column => columns.resize(column, column.width + by * KEY_STEP)),
    onMove: (name, by) => on(name, column => columns.move(column, by)),
  });
  return (
    <thead>
      <tr aria-rowindex={1} onFocus={roving.onFocus} onKeyDown={roving.onKeyDown}>
        <th scope="col">
          <RowCheckbox
            label={t`Select all loaded documents`}
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
            why={sortOf(column.id, hasWriteOrder).why}
            tabIndexOf={roving.tabIndexOf}
          />
        ))}
        <td />
      </tr>
    </thead>
  );
}

const sortName = (column: string) => `sort-${column}`;
const widthName = (column: string) => `width-${column}`;

/** Focusable parts of a column's head. */
function namesOf({ id }: Column, { sorted }: ArrangedColumns): string[] {
  return sorted.has(id) ? [sortName(id), widthName(id)] : [widthName(id)];
}

interface HeadCellProps {
  column: Column;
  columns: ArrangedColumns;
  /** Reason why the table cannot be sorted by this column. */
  why: string | undefined;
  tabIndexOf: (name: string) => 0 | -1;
}

function HeadCell({ column, columns, why, tabIndexOf }: HeadCellProps) {
  const sort = columns.sorted.get(column.id);
  const title = <span className={column.isCode ? 'mono t-11' : ''}>{column.title}</span>;
  return (
    <th
      scope="col"
      className={column.isNumeric ? 'num' : ''}
      aria-sort={sort === undefined ? undefined : ARIA_SORT[sort]}
      title={why ?? column.title}
    >
      {sort === undefined ? (
        title
      ) : (
        <button
          type="button"
          className={sort === 'none' ? '' : 'sort'}
          tabIndex={tabIndexOf(sortName(column.id))}
          data-head={sortName(column.id)}
          onClick={() => columns.toggleSort(column)}
        >
          {title}
          {sort !== 'none' && <Icon name={sort === 'asc' ? 'up' : 'down'} size={12} />}
        </button>
      )}
      <ResizeHandle
        column={column}
        tabIndex={tabIndexOf(widthName(column.id))}
        onResize={width => columns.resize(column, width)}
      />
    </th>
  );
}
