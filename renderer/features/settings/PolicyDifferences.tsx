import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import type { Policy, PolicyDrift } from '../../../shared/contract/policy.ts';
import { client, problemOf, reportingRemovals, useChange, useLive, useLiveQuery } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Meter } from '../../components/figures/Meter.tsx';
import { useShowsJob } from '../../components/overlays/jobs-on-page.ts';
import { Note } from '../../components/status/Note.tsx';
import { formatCount } from '../../i18n/format.ts';
import classes from './policy.module.css';

/** Counting the effect of indexes reads documents. */
const COUNTED_EVERY_MS = 15_000;

const LABEL: Record<PolicyDrift['is'], string> = {
  'missing collection': t`Collection missing`,
  'missing index': t`TTL index missing`,
  'different index': t`TTL index differs`,
  'unexpected index': t`TTL index not in the policy`,
  'keys without TTL': t`No TTL`,
  'TTL too long': t`TTL too long`,
  'not supported': t`Not for this store`,
};

/** Differences that are removed by giving keys a TTL. */
const TTL_DIFFERENCES: ReadonlySet<PolicyDrift['is']> = new Set(['keys without TTL', 'TTL too long']);

interface PolicyDifferencesProps {
  policy: Policy;
  /** Reason why the policy cannot be applied here; null: it can. */
  refusal: string | null;
  /** `result`: what was changed, such as `1 TTL index created`. */
  onApplied: (result: string) => void;
}

/** The differences between a policy and the store, and the button that removes them. */
export function PolicyDifferences({ policy, refusal, onApplied }: PolicyDifferencesProps) {
  const { data, error } = useLiveQuery(
    { queryKey: ['policy', 'differences', policy], queryFn: () => client.policy.diff({ policy }) },
    { collection: null, everyMs: COUNTED_EVERY_MS },
  );
  const apply = useChange({ mutationFn: () => reportingRemovals({}, () => client.policy.apply({ policy })) });
  if (error !== null && data === undefined)
    return (
      <Note tone="bad">
        <Trans>Not compared. {problemOf(error).message}</Trans>
      </Note>
    );
  if (data === undefined) return <p className="t-3" aria-busy="true">{t`Comparing…`}</p>;
  const { drift, driftCount, effect, incomplete } = data;
  const isRemovable = drift.some(({ obstacle }) => obstacle === null);
  return (
    <>
      {incomplete !== null && <Note tone="plain">{incomplete}</Note>}
      {driftCount === 0 && incomplete === null && (
        <p className="row">
          <Icon name="check" className="c-ok" /> {t`No differences.`}
        </p>
      )}
      {driftCount > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={classes.list} tabIndex={0} aria-label={t`List of differences`}>
          <ul>
            {drift.map(one => (
              <li key={`${one.collection}/${one.index}/${one.is}`}>
                <span className="t-semi nowrap">{LABEL[one.is]}</span>
                <span className="wrap">
                  {one.sentence}{' '}
                  {one.due !== null && one.due > 0 && (
                    <Effect count={one.due} isSoon={TTL_DIFFERENCES.has(one.is)} />
                  )}{' '}
                  {one.obstacle !== null && <span className="t-3">{one.obstacle}</span>}
                </span>
              </li>
            ))}
          </ul>
          {driftCount > drift.length && (
            <p className="t-3">
              <Trans>… and {formatCount(driftCount - drift.length)} more</Trans>
            </p>
          )}
        </section>
      )}
      {driftCount > 0 && (
        <div className={classes.apply}>
          <Button
            variant="primary"
            busy={apply.isPending}
            disabled={refusal !== null || !isRemovable}
            onClick={() => apply.mutate()}
          >{t`Apply…`}</Button>
          {effect !== null && effect.due > 0 && (
            <span className="t-12 c-overdue">
              {drift.some(({ is }) => TTL_DIFFERENCES.has(is))
                ? plural(effect.due, { one: '# expires within 24 h.', other: '# expire within 24 h.' })
                : plural(effect.due, { one: '# becomes due.', other: '# become due.' })}
            </span>
          )}
        </div>
      )}
      {apply.error !== null && (
        <p className="problem wrap" role="alert">
          {applyProblem(apply.error)}
        </p>
      )}
      {apply.data !== undefined && <PolicyJob id={apply.data.id} onDone={onApplied} />}
    </>
  );
}

function applyProblem(error: Error): string {
  const { message, data } = problemOf(error);
  return data.schema === 'absent'
    ? t`Nothing was changed. TTL indexes of this database are kept in a schema named sandglass, which does not exist yet: create it in the tab TTL indexes of a table.`
    : message;
}

/** `isSoon`: keys are not due at once, but expire within a day. */
function Effect({ count, isSoon }: { count: number; isSoon: boolean }) {
  return (
    <span className="c-overdue nowrap">
      {isSoon
        ? plural(count, {
            one: 'Applying makes # expire within 24 h.',
            other: 'Applying makes # expire within 24 h.',
          })
        : plural(count, { one: 'Applying makes # due.', other: 'Applying makes # due.' })}
    </span>
  );
}

function PolicyJob({ id, onDone }: { id: string; onDone: (result: string) => void }) {
  const job = useLive(({ jobs }) => jobs.get(id));
  useShowsJob(id);
  const state = job?.state;
  const ended = useEffectEvent(() => onDone(job?.result ?? ''));
  useEffect(() => {
    if (state === 'done') ended();
  }, [state]);
  if (job === undefined) return null;
  if (job.state === 'failed') return <Note tone="bad">{job.error}</Note>;
  if (job.state === 'cancelled') return <Note tone="plain">{t`Cancelled; what was changed stays.`}</Note>;
  if (job.state === 'done') return null;
  return (
    <div className={classes.apply}>
      <Meter label={t`Applying the policy`} done={job.done} total={job.total} />
      <Button small onClick={() => void client.jobs.cancel({ job: id })}>{t`Cancel`}</Button>
    </div>
  );
}
