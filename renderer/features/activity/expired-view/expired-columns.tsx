import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { createContext, use } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { RowCheckbox } from '../../../components/data-grid/RowCheckbox.tsx';
import { columnsFor } from '../../../components/data-table/data-table.ts';
import { TruncatedId } from '../../../components/TruncatedId.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { Countdown, Instant } from '../../../components/time/Time.tsx';
import { formatBytes, formatCount, formatLag } from '../../../i18n/format.ts';
import { isRestorable } from '../expired-model/expired-selection.ts';
import { ACTION_LABEL, formatActor } from '../expired-model/format-expired.ts';
import { type Failure, formatFailure } from '../restore/restore-plan.ts';

const column = columnsFor<ExpiredEntry>();

export const EXPIRED_COLUMNS = column.columns([
  column.display({
    id: 'check',
    header: () => <span className="visually-hidden">{t`Selected`}</span>,
    meta: { width: 42 },
    cell: ({ row: { original } }) => <Check entry={original} />,
  }),
  column.display({
    id: 'id',
    header: () => <span className="mono t-11">_id</span>,
    cell: ({ row: { original } }) => (
      <span title={visibleText(original._id)}>
        <TruncatedId id={original._id} />
        {original.partition !== undefined && (
          <span className="t-12 t-3"> {formatRowsOf(original.partition.rows)}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'collection',
    header: t`Collection`,
    cell: ({ row: { original } }) => <Titled text={original.collection} />,
  }),
  column.display({
    id: 'index',
    header: t`Index`,
    meta: { cellClassName: 't-2' },
    cell: ({ row: { original } }) => <Titled text={formatActor(original)} />,
  }),
  column.display({
    id: 'due',
    header: t`Deadline`,
    meta: { width: 116, className: 'spare', cellClassName: 't-2' },
    cell: ({ row: { original } }) => <Instant at={original.deadlineAt} />,
  }),
  column.display({
    id: 'done',
    header: t`Removed`,
    meta: { width: 100 },
    cell: ({ row: { original } }) => <Instant at={original.removedAt} />,
  }),
  column.display({
    id: 'lag',
    header: t`Lag`,
    meta: { width: 96, isNumeric: true },
    cell: ({ row: { original } }) => (original.cause === 'deleted' ? '–' : formatLag(original.lagMs)),
  }),
  column.display({
    id: 'action',
    header: t`Action`,
    meta: { width: 74, className: 'spare', cellClassName: 't-2' },
    cell: ({ row: { original } }) => ACTION_LABEL[original.action],
  }),
  column.display({
    id: 'pass',
    header: t`Pass`,
    meta: { width: 76, isNumeric: true, className: 'extra', cellClassName: 't-2' },
    cell: ({ row: { original } }) => {
      if (original.cause === 'deleted') return '–';
      if (original.pass > 0) return formatCount(original.pass);
      // A remote store does not record the pass of a removal.
      return original.revision === 0 ? '–' : t`write`;
    },
  }),
  column.display({
    id: 'restorable',
    header: t`Restorable`,
    meta: { cellClassName: 't-2' },
    cell: ({ row: { original } }) => <Restorable entry={original} />,
  }),
]);

interface ExpiredRows {
  isSelected: (entry: ExpiredEntry) => boolean;
  isRestored: (entry: ExpiredEntry) => boolean;
  /** Error of the last attempt to restore the entry. */
  failureOf: (entry: ExpiredEntry) => Failure | undefined;
  toggle: (entry: ExpiredEntry) => void;
}

/** Selection and restore results, read by the cells from a context. */
export const ExpiredRows = createContext<ExpiredRows>({
  isSelected: () => false,
  isRestored: ({ isRestored }) => isRestored,
  failureOf: () => undefined,
  toggle: () => {},
});

function formatRowsOf(rows: number): string {
  return t`partition, ${plural(rows, { one: '# row', other: '# rows' })}`;
}

const Titled = ({ text }: { text: string }) => <span title={text}>{text}</span>;

/** Only restorable entries can be selected. */
function Check({ entry }: { entry: ExpiredEntry }) {
  const { isSelected, isRestored, toggle } = use(ExpiredRows);
  const canRestore = useAtTick(now => isRestorable(entry, now));
  const checked = isSelected(entry);
  return (
    <RowCheckbox
      label={t`Select ${visibleText(entry._id)}`}
      checked={checked}
      disabled={!checked && (!canRestore || isRestored(entry))}
      tabIndex={-1}
      // With Shift the click belongs to the row, which extends the selection.
      onClick={event => !event.shiftKey && event.stopPropagation()}
      onChange={(_, isShifted) => !isShifted && toggle(entry)}
    />
  );
}

function Restorable({ entry }: { entry: ExpiredEntry }) {
  const { isRestored, failureOf } = use(ExpiredRows);
  const failure = failureOf(entry);
  const canRestore = useAtTick(now => isRestorable(entry, now));
  return (
    <span title={failure?.message ?? titleOf(entry)}>
      <RestorableText
        entry={entry}
        isRestorable={canRestore}
        isRestored={isRestored(entry)}
        failure={failure}
      />
    </span>
  );
}

function titleOf({ restorable }: ExpiredEntry): string | undefined {
  return restorable === null
    ? t`Not restorable: restored, purged, past its retention, or without retention.`
    : t`${formatBytes(restorable.bytes)} retained`;
}

interface RestorableTextProps {
  entry: ExpiredEntry;
  isRestorable: boolean;
  isRestored: boolean;
  failure: Failure | undefined;
}

function RestorableText({ entry, isRestorable, isRestored, failure }: RestorableTextProps) {
  if (failure !== undefined) {
    return (
      <span className="c-overdue">
        <Icon name="err" size={12} />
        &ensp;{formatFailure(failure)}
      </span>
    );
  }
  if (isRestored) {
    return (
      <span className="c-ok">
        <Icon name="check" size={12} />
        &ensp;{t`restored`}
      </span>
    );
  }
  if (!isRestorable || entry.restorable === null) return <span className="t-3">{t`not restorable`}</span>;
  return (
    <Trans>
      for <Countdown at={entry.restorable.until} />
    </Trans>
  );
}
