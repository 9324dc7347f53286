import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { formatExactDuration } from '../../../../shared/model/duration.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useAtTick, useZone } from '../../../components/time/clock.ts';
import { RelativeTime } from '../../../components/time/Time.tsx';
import { formatInstant } from '../../../i18n/format.ts';
import classes from '../documents.module.css';
import { type ExpirationEdit, editedDeadline } from './expiration-edit.ts';

/** The old deadline, struck through, and the staged one. */
export function StagedDeadline({ row, edit }: { row: DocumentRecord; edit: ExpirationEdit }) {
  return (
    <span className={`${classes.deadline} ${classes.stagedDeadline}`}>
      <span className={classes.was}>
        {row.deadlineAt === null ? t`never` : <RelativeTime at={row.deadlineAt} />}
      </span>
      <span className={`${classes.becomes} ell`}>
        <NewDeadline edit={edit} />
      </span>
    </span>
  );
}

export function NewDeadline({ edit }: { edit: ExpirationEdit }) {
  const [zone] = useZone();
  const at = useAtTick(now => {
    const deadline = editedDeadline(edit, now);
    return typeof deadline === 'number' ? formatInstant(deadline, now, zone) : '';
  });
  switch (edit.kind) {
    case 'after':
      return (
        <>
          <Icon name="arrow" size={12} /> {formatExactDuration(edit.seconds)}, {at}
        </>
      );
    case 'at':
      return (
        <>
          <Icon name="arrow" size={12} /> {at}
        </>
      );
    case 'never':
      return (
        <>
          <Icon name="pinned" size={12} /> <Trans>never</Trans>
        </>
      );
    case 'clear':
      return (
        <>
          <Icon name="undo" size={12} /> <Trans>by the TTL indexes</Trans>
        </>
      );
  }
}
