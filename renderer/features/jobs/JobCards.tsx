import { t } from '@lingui/core/macro';
import { Notification } from '@mantine/core';
import type { Job } from '../../../shared/contract/jobs.ts';
import { client, type LiveState, problemOf, useLive, useWords } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Meter } from '../../components/figures/Meter.tsx';
import { jobsOnPage } from '../../components/overlays/jobs-on-page.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { useAtTick } from '../../components/time/clock.ts';
import { formatBytes, formatCount } from '../../i18n/format.ts';
import { formatRecordsInSentence } from '../../i18n/format-engine-words.ts';
import { useStore } from '../../state/store.ts';
import classes from './job-cards.module.css';

/** Shorter jobs are not shown, to avoid flicker, ms. */
const SHOWN_AFTER_MS = 800;

const DOING: Record<Job['kind'], string> = {
  import: t`Importing`,
  'index build': t`Building`,
  recount: t`Counting again`,
  'sample data': t`Loading the sample data`,
  'set expiration': t`Setting expirations`,
  'clear expiration': t`Clearing expirations`,
  'undo expiration': t`Setting deadlines back`,
  delete: t`Deleting`,
  'apply policy': t`Applying the policy`,
  restore: t`Restoring`,
  purge: t`Purging`,
  backup: t`Backing up`,
  compact: t`Compacting the file`,
  check: t`Checking the file`,
  recovery: t`Recovering`,
};

/** Kinds whose subject is shown beside the collection: a file, an index. */
const NAMED: ReadonlySet<Job['kind']> = new Set(['import', 'index build', 'recount', 'backup', 'recovery']);

/** Ids of running jobs as one string: progress does not render the list again. */
const running = ({ jobs }: LiveState, hidden: Job['kind'] | null, onPage: readonly string[]): string =>
  [...jobs.values()]
    .filter(job => job.state === 'running' && job.kind !== hidden && !onPage.includes(job.id))
    .map(job => job.id)
    .join('\n');

/**
 * Running jobs, in the corner of the window. `hidden`: a kind of job that an open dialog shows. Jobs that the page
 * shows are left out too.
 */
export function JobCards({ hidden }: { hidden: Job['kind'] | null }) {
  const onPage = useStore(jobsOnPage);
  const ids = useLive(state => running(state, hidden, onPage));
  if (ids === '') return null;
  return (
    <section className={classes.jobs} aria-label={t`Running jobs`}>
      {ids.split('\n').map(id => (
        <JobCard key={id} id={id} />
      ))}
    </section>
  );
}

function JobCard({ id }: { id: string }) {
  const job = useLive(({ jobs }) => jobs.get(id));
  const lost = useLive(({ connection }) => connection.is === 'lost');
  const words = useWords();
  const startedAt = job?.startedAt ?? 0;
  const due = useAtTick(now => now - startedAt > SHOWN_AFTER_MS);
  if (job === undefined || !due) return null;
  const amount = job.unit === 'bytes' ? formatBytes : formatCount;
  const title = NAMED.has(job.kind) ? `${DOING[job.kind]} ${job.subject}` : DOING[job.kind];

  async function cancel(): Promise<void> {
    try {
      await client.jobs.cancel({ job: id });
    } catch (error) {
      const { code, message } = problemOf(error);
      showToast({ kind: 'error', title: t`Not cancelled`, detail: `${title}: ${message}`, code });
    }
  }

  return (
    <Notification
      role="group"
      aria-label={title}
      mod={{ kind: 'job' }}
      icon={<Icon name={job.kind === 'import' ? 'upload' : 'glass'} />}
      withCloseButton={false}
      title={
        <span className={classes.head}>
          <span className="ell" title={title}>
            {title}
          </span>
          <Button variant="ghost" small disabled={lost} onClick={() => void cancel()}>{t`Cancel`}</Button>
        </span>
      }
    >
      {job.total === null ? amount(job.done) : t`${amount(job.done)} of ${amount(job.total)}`}
      {job.unit === 'documents' && ` ${formatRecordsInSentence(words)}`}
      {job.collection !== '' && `, ${job.collection}`}
      <Meter label={title} done={job.done} total={job.total} />
    </Notification>
  );
}
