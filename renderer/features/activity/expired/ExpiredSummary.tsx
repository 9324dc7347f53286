import { useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { formatCount, formatDuration } from '../../../../shared/model/format.ts';
import { erasureInWords } from '../../../../shared/model/purge-words.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { Button, IconButton } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import type { LedgerWork } from '../expired-entries/expired-jobs.ts';
import { collectionsOf } from '../expired-entries/expired-selection.ts';
import { purgedInWords, restoredInWords } from '../expired-entries/format-expired.ts';
import { usePurges } from '../purge/use-purges.ts';
import { type Failure, failedEntries } from '../restore/restore-plan.ts';
import { restoredLink } from '../restore/restored-link.ts';

interface LedgerEndedProps {
  work: LedgerWork;
  /** Asks once more for those that met a newer document. */
  onAgain: (entries: readonly ExpiredEntry[]) => void;
  onDismiss: () => void;
}

/** What came of a restore or a purge; while it runs its card in the corner says how far it is. */
export function LedgerEnded({ work, onAgain, onDismiss }: LedgerEndedProps) {
  const { job, expiration } = work;
  const [isExplained, setExplained] = useState(false);
  const isGood = job.state === 'done' && (job.failedCount ?? 0) === 0;
  const failures =
    'chosen' in work.target ? failedEntries(work.target.chosen, job) : new Map<string, Failure>();
  const again = 'chosen' in work.target ? takenOf(work.target.chosen.values(), failures) : [];
  const failed = job.failed ?? [];
  return (
    <>
      {isExplained && (
        <section className="pop fails" aria-label="Not restored">
          <div className="panel-h line">
            <h2>Not restored</h2>
            <span className="t-12 t-3">
              {failed.length < (job.failedCount ?? 0) && 'the first '}
              {formatCount(failed.length)}
            </span>
            <span className="spacer" />
            <IconButton icon="x" label="Close" onClick={() => setExplained(false)} />
          </div>
          <ul className="fails-list">
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
      <section className={`stage ${isGood ? '' : 'bad'}`} aria-label="Result">
        <Icon name={isGood ? 'check' : 'err'} className={isGood ? 'c-ok' : 'c-overdue'} />
        <span className="wrap" role={isGood ? 'status' : 'alert'}>
          <b className="t-semi">{expiration === null ? purgedWords(work) : restoredInWords(job)}</b>{' '}
          <span className="t-2">
            {job.state === 'failed' && `${job.error ?? 'It ended early.'} What is done stays done. `}
            {job.endedAt !== null && `${formatDuration(job.endedAt - job.startedAt)}. `}
            {expiration === null && job.state === 'done' && <Erasure work={work} />}
          </span>
        </span>
        <span className="spacer" />
        <RestoredLinks work={work} failures={failures} />
        {failed.length > 0 && (
          <Button aria-expanded={isExplained} onClick={() => setExplained(!isExplained)}>
            Show why
          </Button>
        )}
        {again.length > 0 && (
          <Button onClick={() => onAgain(again)}>Replace or rename {formatCount(again.length)}…</Button>
        )}
        <Button variant="ghost" onClick={onDismiss}>
          Done
        </Button>
      </section>
    </>
  );
}

function purgedWords({ job }: LedgerWork): string {
  return job.state === 'failed' ? 'The purge failed.' : purgedInWords(job);
}

/** The job says what was pending when it ended; its record, what is by now. */
function Erasure({ work: { job } }: { work: LedgerWork }) {
  const record = usePurges().find(
    ({ erasedAt }) => erasedAt >= job.startedAt && erasedAt <= (job.endedAt ?? job.startedAt),
  );
  return record === undefined ? (job.result ?? '') : erasureInWords(record);
}

function takenOf(
  chosen: Iterable<ExpiredEntry>,
  failures: ReadonlyMap<string, Failure>,
): readonly ExpiredEntry[] {
  return [...chosen].filter(({ id }) => failures.get(id)?.code === 'DOCUMENT_EXISTS');
}

const LINKS_AT_MOST = 3;

function RestoredLinks({ work, failures }: { work: LedgerWork; failures: ReadonlyMap<string, Failure> }) {
  const { job, target, expiration } = work;
  if (expiration === null || (job.succeeded ?? 0) === 0) return null;
  const restored =
    'chosen' in target ? [...target.chosen.values()].filter(({ id }) => !failures.has(id)) : [];
  const collections = 'span' in target ? [target.span.collection] : collectionsOf(restored);
  const took = { startedAt: job.startedAt, endedAt: job.endedAt ?? job.startedAt };
  return collections.slice(0, LINKS_AT_MOST).map(collection => (
    <a
      key={collection}
      className="nowrap ell restored-link"
      href={restoredLink(
        collection,
        restored.filter(entry => entry.collection === collection),
        expiration,
        took,
      )}
    >
      Open in {collection}
    </a>
  ));
}
