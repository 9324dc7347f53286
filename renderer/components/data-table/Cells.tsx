import { FlexRender } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { ColumnMeta, DataRowOf } from './data-table.ts';

export interface ShownCell {
  id: string;
  meta: ColumnMeta | undefined;
  content: ReactNode;
}

export function cellsOf<Row extends object>(row: DataRowOf<Row>): ShownCell[] {
  return row.getAllCells().map(cell => ({
    id: cell.id,
    meta: cell.column.columnDef.meta,
    content: <FlexRender cell={cell} />,
  }));
}

export function Cells({ cells }: { cells: readonly ShownCell[] }) {
  return cells.map(({ id, meta, content }) =>
    meta?.isRowHeader ? (
      <th key={id} scope="row" className={classOf(meta, meta.cellClassName)}>
        {content}
      </th>
    ) : (
      <td key={id} className={classOf(meta, meta?.cellClassName)}>
        {content}
      </td>
    ),
  );
}

/** Returns the class of a heading or a cell; `own`: a class of this cell only. */
export function classOf(meta: ColumnMeta | undefined, own?: string): string | undefined {
  const names = [meta?.isNumeric && 'num', meta?.className, own].filter(Boolean).join(' ');
  return names === '' ? undefined : names;
}
