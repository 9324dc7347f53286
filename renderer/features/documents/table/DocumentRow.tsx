import { type MouseEvent, memo, type ReactNode } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { HEAD_HEIGHT, ROW_HEIGHT } from '../../../components/data-grid/grid-metrics.ts';
import { RowCheckbox } from '../../../components/data-grid/RowCheckbox.tsx';
import { Chip } from '../../../components/status/Chip.tsx';
import { getZone } from '../../../components/time/clock.ts';
import { Ago } from '../../../components/time/Time.tsx';
import styles from '../documents.module.css';
import type { StagedEdit } from '../staging/staged-edits.ts';
import { type Column, fieldValue } from './columns.ts';
import { DeadlineCell } from './DeadlineCell.tsx';
import { certainlyFits, epochOf, formatCell } from './format-cell.ts';

export interface RowEvents {
  onPick: (slot: number, event: MouseEvent) => void;
  onToggle: (slot: number) => void;
  onOpen: (slot: number) => void;
}

interface DocumentRowProps extends RowEvents {
  row: DocumentRecord | undefined;
  slot: number;
  columns: readonly Column[];
  isSelected: boolean;
  isActive: boolean;
  expireAfter: number | undefined;
  waits: string | null;
  /** Why it never expires. */
  never: string | null;
  edit: StagedEdit | undefined;
  failure: string | undefined;
  isUnsaved: boolean;
}

const HIDDEN = 'Past its deadline: hidden from ordinary reads';

export const rowId = (slot: number) => `document-${slot}`;

/** Below the head, px. */
const topOf = (slot: number) => HEAD_HEIGHT + slot * ROW_HEIGHT;

/** One document. An unread row is an empty placeholder. */
export const DocumentRow = memo((props: DocumentRowProps) => {
  const { row, slot, columns, isSelected, isActive, edit, failure } = props;
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
  ];
  return (
    <tr
      id={rowId(slot)}
      aria-rowindex={slot + 2}
      aria-selected={isSelected}
      className={classes.filter(Boolean).join(' ')}
      style={{ top: topOf(slot) }}
      onClick={event => props.onPick(slot, event)}
      onDoubleClick={() => props.onOpen(slot)}
    >
      <td>
        <RowCheckbox
          label={`Select ${visibleText(row._id)}`}
          checked={isSelected}
          tabIndex={-1}
          // With Shift the click belongs to the row, which extends the selection.
          onClick={event => !event.shiftKey && event.stopPropagation()}
          onDoubleClick={event => event.stopPropagation()}
          onChange={(_, isShifted) => !isShifted && props.onToggle(slot)}
        />
      </td>
      {columns.map(column => {
        const cell = contentOf(column, props, row);
        return (
          <td
            key={column.id}
            className={cellClass(column, cell)}
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

/** Cuts off only cells that may not fit: each one that is cut off makes a frame slower to draw. */
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
  return epoch === null
    ? cell
    : `${cell}: as ${epoch.unit} since 1970 ${formatInstantInFull(epoch.at, getZone())}`;
}

/** Not a component per cell: scrolling renders about twenty of them per frame. */
function contentOf(column: Column, props: DocumentRowProps, row: DocumentRecord): ReactNode {
  if (column.path !== null) return formatCell(fieldValue(row.document, column.path));
  switch (column.id) {
    case '_id':
      return props.isUnsaved ? <MarkedId id={row._id} /> : visibleText(row._id);
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
      return row.deadlineFrom === EXPLICIT ? 'set by hand' : (row.deadlineFrom ?? props.never);
    case 'updatedAt':
      return <Ago at={row.updatedAt} />;
    default:
      return null;
  }
}

function MarkedId({ id }: { id: string }) {
  return (
    <span className={styles.markedId}>
      <span className="ell">{visibleText(id)}</span>
      <b className={styles.unsaved}>unsaved</b>
    </span>
  );
}
