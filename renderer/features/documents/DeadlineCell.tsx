import { memo } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { useAtTick } from '../../components/clock.ts';
import { Icon } from '../../components/Icon.tsx';
import { Ago, Instant, RelativeTime } from '../../components/Time.tsx';
import { lifeLeft } from './lifeLeft.ts';
import { StagedDeadline } from './StagedDeadline.tsx';
import type { StagedEdit } from './staging.ts';

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
  return (
    <span className="dl">
      <RelativeTime at={deadlineAt} />
      <Instant at={deadlineAt} className="t-3" />
      <LifeBar row={row} expireAfter={expireAfter} />
    </span>
  );
});

const STEPS = 40;

/** 40 pixels, one step each: it is drawn again only when it gets a pixel shorter. */
function LifeBar({ row, expireAfter }: { row: DocumentRecord; expireAfter: number | undefined }) {
  const steps = useAtTick(now => Math.round(lifeLeft(row, expireAfter, now) * STEPS));
  return (
    <span className={`life ${row.state}`} aria-hidden="true">
      <i style={{ width: `${(steps / STEPS) * 100}%` }} />
    </span>
  );
}
