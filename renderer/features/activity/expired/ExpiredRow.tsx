import { type MouseEvent, memo } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { formatBytes, formatCount, formatLag } from '../../../../shared/model/format.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Checkbox } from '../../../components/controls/Checkbox.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { RowPlace } from '../../../components/data-grid/HistoryTable.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { Countdown, Instant } from '../../../components/time/Time.tsx';
import { isRestorable } from '../expired-entries/expired-selection.ts';
import { ACTION_WORD } from '../expired-entries/format-expired.ts';
import { ruleName } from '../passes/format-pass.ts';
import { type Failure, failureWord } from '../restore/restore-plan.ts';

interface LedgerRowProps extends RowPlace {
  entry: ExpiredEntry;
  isChosen: boolean;
  isRestored: boolean;
  /** Why it could not be restored. */
  failure: Failure | undefined;
  onToggle: (index: number) => void;
  onPick: (index: number, event: MouseEvent) => void;
}

/** One expiry, 28 px. What is not kept cannot be chosen: there is nothing to do with it. */
export const LedgerRow = memo(function LedgerRow(props: LedgerRowProps) {
  const { entry, isChosen, isActive, isRestored, failure } = props;
  const kept = useAtTick(now => isRestorable(entry, now));
  const classes = [isChosen && 'sel', isActive && 'active', failure !== undefined && 'fail'];
  return (
    <tr
      id={props.id}
      aria-rowindex={props.index + 2}
      aria-selected={isChosen}
      className={classes.filter(Boolean).join(' ')}
      // Shift chooses rows here, not text.
      onMouseDown={event => event.shiftKey && event.preventDefault()}
      onClick={event => props.onPick(props.index, event)}
    >
      <td>
        <Checkbox
          label={`Select ${visibleText(entry._id)}`}
          checked={isChosen}
          disabled={!isChosen && (!kept || isRestored)}
          tabIndex={-1}
          // With Shift the row chooses up to here, whatever of it is clicked.
          onClick={event => !event.shiftKey && event.stopPropagation()}
          onChange={(_, isShifted) => !isShifted && props.onToggle(props.index)}
        />
      </td>
      <td className="mono" title={visibleText(entry._id)}>
        {visibleText(entry._id)}
      </td>
      <td title={entry.collection}>{entry.collection}</td>
      <td className="t-2" title={ruleName(entry.index)}>
        {ruleName(entry.index)}
      </td>
      <td className="t-2 spare">
        <Instant at={entry.deadlineAt} />
      </td>
      <td>
        <Instant at={entry.removedAt} />
      </td>
      <td className="num">{formatLag(entry.lagMs)}</td>
      <td className="t-2 spare">{ACTION_WORD[entry.action]}</td>
      <td className="num t-2 extra">{entry.pass === 0 ? 'a write' : formatCount(entry.pass)}</td>
      <td className="t-2" title={failure?.message ?? titleOf(entry)}>
        <Kept entry={entry} isKept={kept} isRestored={isRestored} failure={failure} />
      </td>
    </tr>
  );
});

function titleOf({ restorable }: ExpiredEntry): string | undefined {
  return restorable === null
    ? 'No copy is kept: it was restored or purged, its time is up, or none was to be kept.'
    : `${formatBytes(restorable.bytes)} kept`;
}

interface KeptProps extends Pick<LedgerRowProps, 'entry' | 'isRestored' | 'failure'> {
  isKept: boolean;
}

function Kept({ entry, isKept, isRestored, failure }: KeptProps) {
  if (failure !== undefined) {
    return (
      <span className="c-overdue">
        <Icon name="err" size={12} />
        &ensp;{failureWord(failure)}
      </span>
    );
  }
  if (isRestored) {
    return (
      <span className="c-ok">
        <Icon name="check" size={12} />
        &ensp;restored
      </span>
    );
  }
  if (!isKept || entry.restorable === null) return <span className="t-3">not kept</span>;
  return (
    <>
      for <Countdown at={entry.restorable.until} />
    </>
  );
}
