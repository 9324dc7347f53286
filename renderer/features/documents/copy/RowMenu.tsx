import { t } from '@lingui/core/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { ContextMenu } from '../../../components/overlays/ContextMenu.tsx';
import type { MenuItem } from '../../../components/overlays/Menu.tsx';
import { formatCount } from '../../../i18n/format.ts';
import type { Column } from '../table/columns.ts';
import { COPY_FORMATS } from './copied-text.ts';
import { copyCell, copyRows } from './copy-documents.ts';

/** Place of the menu, px, and the row and cell it is about. */
export interface MenuAt {
  x: number;
  y: number;
  /** The row under the pointer. */
  row: DocumentRecord;
  column: Column | undefined;
}

interface RowMenuProps {
  collection: string;
  at: MenuAt | null;
  /** The selection, if the row belongs to it; otherwise the row. */
  rows: readonly DocumentRecord[];
  mayWrite: boolean;
  onEdit: (row: DocumentRecord, column: Column | undefined) => void;
  onOpen: (row: DocumentRecord) => void;
  onSetExpiration: () => void;
  onDelete: () => void;
  onClose: () => void;
}

/** The context menu of a row: copies its cell, the row or the selection, and runs their commands. */
export function RowMenu({ collection, at, rows, mayWrite, ...on }: RowMenuProps) {
  if (at === null) return null;
  const { row, column } = at;
  const count = rows.length;
  const cell: MenuItem[] =
    column === undefined
      ? []
      : [
          {
            label: t`Copy ${column.title}`,
            icon: 'copy',
            onSelect: () => void copyCell(collection, row, column),
          },
        ];
  const copies = COPY_FORMATS.map(
    ({ format, label }): MenuItem => ({
      label: count === 1 ? t`Copy document as ${label}` : t`Copy ${formatCount(count)} documents as ${label}`,
      icon: 'copy',
      ...(format === 'json' && { shortcut: 'Ctrl C' }),
      onSelect: () => void copyRows(collection, rows, format),
    }),
  );
  const writes: MenuItem[] = mayWrite
    ? [
        ...(column?.path == null
          ? []
          : [
              {
                label: t`Edit ${column.title}`,
                icon: 'edit' as const,
                shortcut: 'F2',
                onSelect: () => on.onEdit(row, column),
              },
            ]),
        { label: t`Set expiration…`, icon: 'glass', shortcut: 'E', onSelect: on.onSetExpiration },
        { label: t`Delete…`, icon: 'trash', shortcut: 'Del', danger: true, onSelect: on.onDelete },
      ]
    : [];
  return (
    <ContextMenu
      at={at}
      label={t`Document ${row._id}`}
      groups={[
        [...cell, ...copies],
        [{ label: t`Open`, icon: 'doc', onSelect: () => on.onOpen(row) }, ...writes],
      ]}
      onClose={on.onClose}
    />
  );
}
