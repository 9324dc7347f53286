import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { formatErasure } from '../../../../shared/model/format-erasure.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { formatCount, formatDuration } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import type { ExpiredJob } from '../expired-model/expired-jobs.ts';
import { collectionsOf } from '../expired-model/expired-selection.ts';
import { formatPurged, formatRestored } from '../expired-model/format-expired.ts';
import { ERASURE_SENTENCES } from '../purge/erasure-sentences.ts';
import { usePurges } from '../purge/use-purges.ts';
import { type Failure, failedEntries } from '../restore/restore-plan.ts';
import { restoredLink } from '../restore/restored-link.ts';

interface ExpiredSummaryProps {
  work: ExpiredJob;
  /** Restores the entries whose `_id` was in use again. */
  onAgain: (entries: readonly ExpiredEntry[]) => void;
  onDismiss: () => void;
}

/** Result of a restore or a purge. Progress is shown by its job card. */
export function ExpiredSummary({ work, onAgain, onDismiss }: ExpiredSummaryProps) {
  const { job, expiration } = work;
  const [isExplained, setExplained] = useState(false);
  const isGood = job.state === 'done' && (job.failedCount ?? 0) === 0;
  const failures =
    'chosen' in work.target ? failedEntries(work.target.chosen, job) : new Map<string, Failure>();
  const again = 'chosen' in work.target ? conflictsOf(work.target.chosen.values(), failures) : [];
  const failed = job.failed ?? [];
  return (
    <>
      {isExplained && (
        <section className="pop fails" aria-label={t`Not restored`}>
          <div className="panel-h line">
            <h2>{t`Not restored`}</h2>
            <span className="t-12 t-3">
              {failed.length < (job.failedCount ?? 0)
                ? t`the first ${formatCount(failed.length)}`
                : formatCount(failed.length)}
            </span>
            <span className="spacer" />
            <IconButton icon="x" label={t`Close`} onClick={() => setExplained(false)} />
          </div>
          <ul className={classes.failsList}>
            {failed.map(({ _id, message }) => (
              <li key={`${_id} ${message}`}>
                <span className="mono ell" title={visibleText(_id)}>
                  {visibleText(_id)}
                </span>
                <span className="wrap">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={`stage ${isGood ? '' : 'bad'}`} aria-label={t`Result`}>
        <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
        <span className="wrap" role={isGood ? 'status' : 'alert'}>
          <b className="t-semi">{expiration === null ? formatPurgeResult(work) : formatRestored(job)}</b>{' '}
          <span className="t-2">
            {job.state === 'failed' && t`${job.error ?? t`It ended early.`} Documents done so far stay done.`}
            {job.state === 'failed' && ' '}
            {job.endedAt !== null && `${formatDuration(job.endedAt - job.startedAt)}. `}
            {expiration === null && job.state === 'done' && <Erasure work={work} />}
          </span>
        </span>
        <span className="spacer" />
        <RestoredLinks work={work} failures={failures} />
        {failed.length > 0 && (
          <Button
            aria-expanded={isExplained}
            onClick={() => setExplained(!isExplained)}
          >{t`Show reasons`}</Button>
        )}
        {again.length > 0 && (
          <Button onClick={() => onAgain(again)}>
            <Trans>Replace or rename {formatCount(again.length)}…</Trans>
          </Button>
        )}
        <Button variant="ghost" onClick={onDismiss}>{t`Done`}</Button>
      </section>
    </>
  );
}

function formatPurgeResult({ job }: ExpiredJob): string {
  return job.state === 'failed' ? t`The purge failed.` : formatPurged(job);
}

/** Names the followers that are pending now; the job's result names those pending when it ended. */
function Erasure({ work: { job } }: { work: ExpiredJob }) {
  const record = usePurges().find(
    ({ erasedAt }) => erasedAt >= job.startedAt && erasedAt <= (job.endedAt ?? job.startedAt),
  );
  return record === undefined ? (job.result ?? '') : formatErasure(record, ERASURE_SENTENCES);
}

function conflictsOf(
  chosen: Iterable<ExpiredEntry>,
  failures: ReadonlyMap<string, Failure>,
): readonly ExpiredEntry[] {
  return [...chosen].filter(({ id }) => failures.get(id)?.code === 'DOCUMENT_EXISTS');
}

const LINKS_AT_MOST = 3;

function RestoredLinks({ work, failures }: { work: ExpiredJob; failures: ReadonlyMap<string, Failure> }) {
  const { job, target, expiration } = work;
  if (expiration === null || (job.succeeded ?? 0) === 0) return null;
  const restored =
    'chosen' in target ? [...target.chosen.values()].filter(({ id }) => !failures.has(id)) : [];
  const collections = 'span' in target ? [target.span.collection] : collectionsOf(restored);
  const took = { startedAt: job.startedAt, endedAt: job.endedAt ?? job.startedAt };
  return collections.slice(0, LINKS_AT_MOST).map(collection => (
    <a
      key={collection}
      className={`nowrap ell ${classes.restoredLink}`}
      href={restoredLink(
        collection,
        restored.filter(entry => entry.collection === collection),
        expiration,
        took,
      )}
    >
      <Trans>Open in {collection}</Trans>
    </a>
  ));
}
