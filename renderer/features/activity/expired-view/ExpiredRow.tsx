import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type MouseEvent, memo } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { RowPlace } from '../../../components/data-grid/HistoryTable.tsx';
import { RowCheckbox } from '../../../components/data-grid/RowCheckbox.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { Countdown, Instant } from '../../../components/time/Time.tsx';
import { formatBytes, formatCount, formatLag } from '../../../i18n/format.ts';
import { isRestorable } from '../expired-model/expired-selection.ts';
import { ACTION_LABEL, formatActor } from '../expired-model/format-expired.ts';
import { type Failure, formatFailure } from '../restore/restore-plan.ts';

interface ExpiredRowProps extends RowPlace {
  entry: ExpiredEntry;
  isSelected: boolean;
  isRestored: boolean;
  /** Why the last restore failed. */
  failure: Failure | undefined;
  onToggle: (index: number) => void;
  onPick: (index: number, event: MouseEvent) => void;
}

/** One expired document. Only restorable entries can be selected. */
export const ExpiredRow = memo(function ExpiredRow(props: ExpiredRowProps) {
  const { entry, isSelected, isActive, failure } = props;
  const isRestored = props.isRestored || entry.isRestored;
  const canRestore = useAtTick(now => isRestorable(entry, now));
  const classes = [isSelected && 'sel', isActive && 'active', failure !== undefined && 'fail'];
  return (
    <tr
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-selected={isSelected}
      className={classes.filter(Boolean).join(' ')}
      // Shift selects rows, not text.
      onMouseDown={event => event.shiftKey && event.preventDefault()}
      onClick={event => props.onPick(props.index, event)}
    >
      <td>
        <RowCheckbox
          label={t`Select ${visibleText(entry._id)}`}
          checked={isSelected}
          disabled={!isSelected && (!canRestore || isRestored)}
          tabIndex={-1}
          // With Shift the click belongs to the row, which extends the selection.
          onClick={event => !event.shiftKey && event.stopPropagation()}
          onChange={(_, isShifted) => !isShifted && props.onToggle(props.index)}
        />
      </td>
      <td className="mono" title={visibleText(entry._id)}>
        {visibleText(entry._id)}
      </td>
      <td title={entry.collection}>{entry.collection}</td>
      <td className="t-2" title={formatActor(entry)}>
        {formatActor(entry)}
      </td>
      <td className="t-2 spare">
        <Instant at={entry.deadlineAt} />
      </td>
      <td>
        <Instant at={entry.removedAt} />
      </td>
      <td className="num">{entry.cause === 'deleted' ? '–' : formatLag(entry.lagMs)}</td>
      <td className="t-2 spare">{ACTION_LABEL[entry.action]}</td>
      <td className="num t-2 extra">
        {entry.cause === 'deleted' ? '–' : entry.pass === 0 ? t`write` : formatCount(entry.pass)}
      </td>
      <td className="t-2" title={failure?.message ?? titleOf(entry)}>
        <Restorable entry={entry} isRestorable={canRestore} isRestored={isRestored} failure={failure} />
      </td>
    </tr>
  );
});

function titleOf({ restorable }: ExpiredEntry): string | undefined {
  return restorable === null
    ? t`Not restorable: restored, purged, past its retention, or without retention.`
    : t`${formatBytes(restorable.bytes)} retained`;
}

interface RestorableProps extends Pick<ExpiredRowProps, 'entry' | 'isRestored' | 'failure'> {
  isRestorable: boolean;
}

function Restorable({ entry, isRestorable, isRestored, failure }: RestorableProps) {
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
