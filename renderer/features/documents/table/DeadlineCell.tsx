import { memo } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatInstant, formatInstantInFull, formatRelative } from '../../../../shared/model/format.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { Ago, machineReadable } from '../../../components/time/Time.tsx';
import { lifeLeft } from '../expiration/remaining-life.ts';
import { StagedDeadline } from '../expiration/StagedDeadline.tsx';
import type { StagedEdit } from '../staging/staged-edits.ts';

/** Of states that have no deadline, what is worth adding. */
const NEVER: Partial<Record<DocumentRecord['state'], string>> = {
  pinned: 'never, pinned by hand',
  quarantined: 'quarantined: left as it is',
};

interface DeadlineCellProps {
  row: DocumentRecord;
  /** Of the index that gives the deadline, seconds. */
  expireAfter: number | undefined;
  edit: StagedEdit | undefined;
  failure: string | undefined;
  waits: string | null;
}

/** Relative, absolute, life left; what it waits for where it is due; old and new where an edit is staged. */
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
    return <span className="t-2">{NEVER[state] ?? 'never'}</span>;
  }
  if (waits !== null) {
    return (
      <span className="dl due">
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

/** One reading of the tick for all that it moves; the bar has 40 pixels and is drawn again when it gets one shorter. */
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
      Math.round(lifeLeft(row, expireAfter, now) * STEPS),
    ].join(BETWEEN),
  );
  const [relative, instant, steps] = shown.split(BETWEEN);
  const stamp = { dateTime: machineReadable(deadlineAt), title: formatInstantInFull(deadlineAt, zone) };
  return (
    <span className="dl">
      <time {...stamp}>{relative}</time>
      <time {...stamp} className="t-3">
        {instant}
      </time>
      <span className={`life ${row.state}`} aria-hidden="true">
        <i style={{ width: `${(Number(steps) / STEPS) * 100}%` }} />
      </span>
    </span>
  );
}

/** Stands in no instant. */
const BETWEEN = '\n';
