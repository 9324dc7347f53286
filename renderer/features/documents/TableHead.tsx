import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { Icon } from '../../components/Icon.tsx';
import type { ArrangedColumns } from './columnPrefs.ts';
import type { Column } from './columns.ts';
import type { DocumentsQuery } from './query.ts';

interface TableHeadProps {
  columns: ArrangedColumns;
  query: DocumentsQuery;
  onSort: (sort: DocumentsQuery['sort']) => void;
  chosen: 'none' | 'some' | 'all';
  onChooseAll: (all: boolean) => void;
}

const SORTS: Readonly<Record<string, DocumentsQuery['sort']>> = { _id: '_id', deadline: 'deadline' };

export function TableHead({ columns, query, onSort, chosen, onChooseAll }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          <Checkbox
            label="Select all loaded documents"
            checked={chosen === 'all'}
            indeterminate={chosen === 'some'}
            onChange={onChooseAll}
          />
        </th>
        {columns.visible.map(column => (
          <HeadCell key={column.id} column={column} columns={columns} query={query} onSort={onSort} />
        ))}
        <td />
      </tr>
    </thead>
  );
}

interface HeadCellProps {
  column: Column;
  columns: ArrangedColumns;
  query: DocumentsQuery;
  onSort: (sort: DocumentsQuery['sort']) => void;
}

function HeadCell({ column, columns, query, onSort }: HeadCellProps) {
  const sort = SORTS[column.id];
  const isSorted = sort !== undefined && sort === query.sort;
  const title = <span className={column.isCode ? 'mono t-11' : ''}>{column.title}</span>;
  const direction = query.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      className={column.isNumeric ? 'num' : ''}
      aria-sort={sort === undefined ? undefined : isSorted ? direction : 'none'}
      title={column.title}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" className={isSorted ? 'sort' : ''} onClick={() => onSort(sort)}>
          {title}
          {isSorted && <Icon name={query.order === 'asc' ? 'up' : 'down'} size={12} />}
        </button>
      )}
      <ResizeHandle column={column} onResize={width => columns.resize(column, width)} />
    </th>
  );
}

const KEY_STEP = 16;

function ResizeHandle({ column, onResize }: { column: Column; onResize: (width: number) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null);

  function drag(event: PointerEvent): void {
    if (start.current !== null) onResize(start.current.width + event.clientX - start.current.x);
  }
  function press(event: KeyboardEvent): void {
    const step = event.key === 'ArrowLeft' ? -KEY_STEP : event.key === 'ArrowRight' ? KEY_STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(column.width + step);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a splitter that takes focus is no horizontal rule
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.title}`}
      aria-valuenow={column.width}
      tabIndex={0}
      className="rs"
      onKeyDown={press}
      onPointerDown={event => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: column.width };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}
