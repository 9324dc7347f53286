import type { TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { formatCount } from '../../../../shared/model/format.ts';
import { formatHold } from '../../../../shared/model/hold.ts';
import { useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { differences } from '../history/format-change.ts';
import { confirmIndex } from './index-actions.ts';
import { holdOf } from './index-health.ts';

/** A definition, new or changed, that has no effect until somebody confirms what it would make due [R6, R8]. */
export function PendingChange({ index }: { index: TtlIndex }) {
  const hold = useLive(({ reaper }) => holdOf(index, reaper));
  const { pending, collection, name, state } = index;
  if (pending === null && state !== 'unconfirmed') return null;
  return (
    <div className="note warn pending" role="status">
      <Icon name="held" />
      <span className="grow wrap">
        {pending === null ? (
          hold === undefined && (
            <b className="t-semi">It is built, and has no effect until it is confirmed.</b>
          )
        ) : (
          <>
            <b className="t-semi">A change by {pending.by} waits for confirmation</b> since{' '}
            <Ago at={pending.since} />: {waitingInWords(index, pending)}. {formatCount(pending.dueAtOnce)}{' '}
            would be due at once.
          </>
        )}{' '}
        {pending === null && hold !== undefined && <b className="t-semi">{formatHold(hold)}</b>}
      </span>
      <Button
        small
        variant="primary"
        onClick={() => void confirmIndex({ collection, index: name }, hold?.id ?? null)}
      >
        Confirm
      </Button>
    </div>
  );
}

/** Of what waits, only what would become different. */
function waitingInWords(index: TtlIndex, { definition }: NonNullable<TtlIndex['pending']>): string {
  return differences(index, definition)
    .map(({ what, was, is }) => `${what}: ${is}${was === null ? '' : `, until now ${was}`}`)
    .join('; ');
}
