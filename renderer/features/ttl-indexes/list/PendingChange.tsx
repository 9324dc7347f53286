import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';
import { formatHold } from '../../../i18n/format-hold.ts';
import { differences } from '../history/format-change.ts';
import { confirmIndex } from './index-actions.ts';
import { holdOf } from './index-health.ts';

/** A new or changed definition that is not in effect until it is confirmed [R6, R8]. */
export function PendingChange({ index }: { index: TtlIndex }) {
  const hold = useLive(({ reaper }) => holdOf(index, reaper));
  const { pending, collection, name, state } = index;
  if (pending === null && state !== 'unconfirmed') return null;
  return (
    <Note
      tone="warn"
      icon="held"
      role="status"
      action={
        <Button
          small
          variant="primary"
          onClick={() => void confirmIndex({ collection, index: name }, hold?.id ?? null)}
        >{t`Confirm`}</Button>
      }
    >
      {pending === null ? (
        hold === undefined && <b className="t-semi">{t`Built, without effect until confirmed.`}</b>
      ) : (
        <Trans>
          <b className="t-semi">A change by {pending.by} awaits confirmation</b> since{' '}
          <Ago at={pending.since} />: {formatPending(index, pending)}. {formatCount(pending.dueAtOnce)} would
          be due at once.
        </Trans>
      )}{' '}
      {pending === null && hold !== undefined && <b className="t-semi">{formatHold(hold)}</b>}
    </Note>
  );
}

/** Shows only the differences. */
function formatPending(index: TtlIndex, { definition }: NonNullable<TtlIndex['pending']>): string {
  return differences(index, definition)
    .map(({ what, was, is }) => (was === null ? t`${what}: ${is}` : t`${what}: ${is}, until now ${was}`))
    .join('; ');
}
