import { t } from '@lingui/core/macro';
import { type MouseEvent, memo, type ReactNode } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { HEAD_HEIGHT, ROW_HEIGHT } from '../../../components/data-grid/grid-metrics.ts';
import { RowCheckbox } from '../../../components/data-grid/RowCheckbox.tsx';
import { Chip } from '../../../components/status/Chip.tsx';
import { TruncatedId } from '../../../components/TruncatedId.tsx';
import { getZone } from '../../../components/time/clock.ts';
import { Ago } from '../../../components/time/Time.tsx';
import { formatInstantInFull } from '../../../i18n/format.ts';
import styles from '../documents.module.css';
import type { StagedEdit } from '../staging/staged-edits.ts';
import { CellEditor } from './CellEditor.tsx';
import { cellId, rowId } from './cell-id.ts';
import { type Column, fieldValue } from './columns.ts';
import { DeadlineCell } from './DeadlineCell.tsx';
import { certainlyFits, epochOf, formatCell } from './format-cell.ts';
import type { CellEditing } from './use-cell-edit.ts';

export interface RowEvents {
  /** `column`: column of the clicked cell; undefined: the click was beside the cells. */
  onPick: (slot: number, event: MouseEvent, column: Column | undefined) => void;
  onToggle: (slot: number) => void;
  onEdit: (slot: number, column: Column | undefined) => void;
}

interface DocumentRowProps extends RowEvents {
  row: DocumentRecord | undefined;
  slot: number;
  columns: readonly Column[];
  isSelected: boolean;
  isActive: boolean;
  expireAfter: number | undefined;
  waits: string | null;
  /** Reason why the document never expires. */
  never: string | null;
  edit: StagedEdit | undefined;
  failure: string | undefined;
  isUnsaved: boolean;
  /** Column of the active cell, in the active row. */
  activeColumn: string | null;
  /** The cell of this row that is edited. */
  editing: CellEditing | null;
}

const HIDDEN = t`Past its deadline: hidden from ordinary reads`;

/** Distance below the head, px. */
const topOf = (slot: number) => HEAD_HEIGHT + slot * ROW_HEIGHT;

/** One document. An unread row is an empty placeholder. */
export const DocumentRow = memo((props: DocumentRowProps) => {
  const { row, slot, columns, isSelected, isActive, edit, failure, activeColumn, editing } = props;
  if (row === undefined) {
    return (
      <tr id={rowId(slot)} aria-rowindex={slot + 2} aria-busy="true" style={{ top: topOf(slot) }}>
        <td />
        <td className="unread" />
      </tr>
    );
  }
  const classes = [
    isSelected && 'sel',
    isActive && 'active',
    edit !== undefined && 'staged',
    failure !== undefined && styles.fail,
    row.hidden && styles.unseen,
    editing !== null && 'editing',
  ];
  return (
    <tr
      id={rowId(slot)}
      aria-rowindex={slot + 2}
      aria-selected={isSelected}
      className={classes.filter(Boolean).join(' ')}
      style={{ top: topOf(slot) }}
      onClick={event => !isInEditor(event) && props.onPick(slot, event, columnAt(event, columns))}
      onDoubleClick={event => !isInEditor(event) && props.onEdit(slot, columnAt(event, columns))}
    >
      <td>
        <RowCheckbox
          label={t`Select ${visibleText(row._id)}`}
          checked={isSelected}
          tabIndex={-1}
          // With Shift the click belongs to the row, which extends the selection.
          onClick={event => !event.shiftKey && event.stopPropagation()}
          onDoubleClick={event => event.stopPropagation()}
          onChange={(_, isShifted) => !isShifted && props.onToggle(slot)}
        />
      </td>
      {columns.map(column => {
        if (column.id === editing?.column.id) {
          return (
            <td key={column.id} id={cellId(slot, column.id)}>
              <CellEditor editing={editing} />
            </td>
          );
        }
        const cell = contentOf(column, props, row);
        const isAt = column.id === activeColumn;
        return (
          <td
            key={column.id}
            id={isAt ? cellId(slot, column.id) : undefined}
            className={isAt ? `${cellClass(column, cell)} at` : cellClass(column, cell)}
            title={titleOf(column, row, cell, props.never)}
          >
            {cell}
          </td>
        );
      })}
      <td />
    </tr>
  );
});

const isInEditor = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest('[data-editor]') !== null;

/** Returns the column of the cell under the pointer. The first cell of a row is its checkbox. */
export function columnAt({ target }: MouseEvent, columns: readonly Column[]): Column | undefined {
  const cell = target instanceof Element ? target.closest('td') : null;
  return cell === null ? undefined : columns[cell.cellIndex - 1];
}

/** Cuts off only cells whose text may not fit: each cut-off cell slows down drawing of a frame. */
function cellClass(column: Column, cell: ReactNode): string {
  const quiet = column.path !== null || column.id === 'from' || column.id === 'updatedAt';
  const isCut = typeof cell !== 'string' || !certainlyFits(cell, column.width);
  return [column.isNumeric && 'num', column.isCode && 'mono', quiet && 't-2', isCut && 'cut']
    .filter(Boolean)
    .join(' ');
}

function titleOf(
  column: Column,
  row: DocumentRecord,
  cell: ReactNode,
  never: string | null,
): string | undefined {
  if (column.id === 'from') return never ?? undefined;
  if (column.id === '_id') return visibleText(row._id);
  if (typeof cell !== 'string') return undefined;
  const epoch = column.path === null ? null : epochOf(fieldValue(row.document, column.path));
  if (epoch === null) return cell;
  const instant = formatInstantInFull(epoch.at, getZone());
  return epoch.unit === 'seconds'
    ? t`${cell}: as seconds since 1970 ${instant}`
    : t`${cell}: as milliseconds since 1970 ${instant}`;
}

/** Cells are not components: scrolling renders about twenty of them per frame. */
function contentOf(column: Column, props: DocumentRowProps, row: DocumentRecord): ReactNode {
  if (column.path !== null) return formatCell(fieldValue(row.document, column.path));
  switch (column.id) {
    case '_id':
      if (props.isUnsaved) return <MarkedId id={row._id} />;
      return certainlyFits(visibleText(row._id), column.width) ? (
        visibleText(row._id)
      ) : (
        <TruncatedId id={row._id} />
      );
    case 'state':
      return <Chip state={row.state} title={row.hidden ? HIDDEN : undefined} />;
    case 'deadline':
      return (
        <DeadlineCell
          row={row}
          expireAfter={props.expireAfter}
          waits={props.waits}
          edit={props.edit}
          failure={props.failure}
        />
      );
    case 'from':
      return row.deadlineFrom === EXPLICIT ? t`set by hand` : (row.deadlineFrom ?? props.never);
    case 'updatedAt':
      // PostgreSQL keeps no time of a row's last write.
      return row.updatedAt === 0 ? <span className="t-3">–</span> : <Ago at={row.updatedAt} />;
    default:
      return null;
  }
}

function MarkedId({ id }: { id: string }) {
  return (
    <span className={styles.markedId}>
      <span className="ell">{visibleText(id)}</span>
      <b className={styles.unsaved}>{t`unsaved`}</b>
    </span>
  );
}
