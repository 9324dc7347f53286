import { t } from '@lingui/core/macro';
import { memo } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { fullInstant } from '../../../components/time/full-instant.ts';
import { Ago, machineReadable } from '../../../components/time/Time.tsx';
import { formatInstant, formatRelative } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { remainingLife } from '../expiration/remaining-life.ts';
import { StagedDeadline } from '../expiration/StagedDeadline.tsx';
import type { StagedEdit } from '../staging/staged-edits.ts';

/** Labels of states without a deadline. */
const LABELS: Partial<Record<DocumentRecord['state'], string>> = {
  pinned: t`never, pinned`,
  quarantined: t`quarantined`,
};

interface DeadlineCellProps {
  row: DocumentRecord;
  /** TTL of the governing index, seconds. */
  expireAfter: number | undefined;
  edit: StagedEdit | undefined;
  failure: string | undefined;
  waits: string | null;
}

/**
 * Shows the relative and absolute deadline with the remaining life; for overdue documents, the reason why they wait;
 * for staged ones, both deadlines.
 */
export const DeadlineCell = memo(({ row, expireAfter, edit, failure, waits }: DeadlineCellProps) => {
  if (failure !== undefined) {
    return (
      <span className="c-overdue" title={failure}>
        <Icon name="err" size={12} /> {failure}
      </span>
    );
  }
  if (edit !== undefined) return <StagedDeadline row={row} edit={edit.edit} />;
  const { deadlineAt, state } = row;
  if (deadlineAt === null) {
    return <span className="t-2">{LABELS[state] ?? t`never`}</span>;
  }
  if (waits !== null) {
    return (
      <span className={`${classes.deadline} ${classes.due}`}>
        <Ago at={deadlineAt} className="c-overdue" />
        <span className="t-2 ell" title={waits}>
          {waits}
        </span>
      </span>
    );
  }
  return <Countdown row={row} deadlineAt={deadlineAt} expireAfter={expireAfter} />;
});

const STEPS = 40;

/**
 * Reads the clock once for all parts. The bar is 40 px wide, and is rendered again only when it becomes a pixel
 * shorter.
 */
function Countdown({
  row,
  deadlineAt,
  expireAfter,
}: {
  row: DocumentRecord;
  deadlineAt: number;
  expireAfter: number | undefined;
}) {
  const [zone] = useZone();
  const shown = useAtTick(now =>
    [
      formatRelative(deadlineAt, now),
      formatInstant(deadlineAt, now, zone),
      Math.round(remainingLife(row, expireAfter, now) * STEPS),
    ].join(SEPARATOR),
  );
  const [relative, instant, steps] = shown.split(SEPARATOR);
  const stamp = { dateTime: machineReadable(deadlineAt), ...fullInstant(deadlineAt, zone) };
  return (
    <span className={classes.deadline}>
      <time {...stamp}>{relative}</time>
      <time {...stamp} className="t-3">
        {instant}
      </time>
      <span className={`${classes.life} ${row.state}`} aria-hidden="true">
        <i style={{ width: `${(Number(steps) / STEPS) * 100}%` }} />
      </span>
    </span>
  );
}

const SEPARATOR = '\n';
