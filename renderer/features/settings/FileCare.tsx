import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import type { Job } from '../../../shared/contract/jobs.ts';
import type { StoreSpace } from '../../../shared/contract/live.ts';
import {
  client,
  problemOf,
  refreshStoreSpace,
  useChange,
  useLive,
  useRefusal,
  useStoreSpace,
} from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Meter } from '../../components/figures/Meter.tsx';
import { useShowsJob } from '../../components/overlays/jobs-on-page.ts';
import { Note } from '../../components/status/Note.tsx';
import { formatBytes } from '../../i18n/format.ts';
import classes from './settings.module.css';

/** Compacts the store's file and checks it, each as a job with a result [S3]. */
export function FileCare() {
  const refusal = useRefusal('store.compact');
  const compact = useChange({ mutationFn: () => client.store.compact() });
  const compacting = useFileJob('compact', compact.data?.id)?.state;
  const space = useStoreSpace();
  useEffect(() => {
    if (compacting !== 'running') void refreshStoreSpace();
  }, [compacting]);
  const check = useChange({ mutationFn: () => client.store.check() });
  if (refusal !== null) return null;
  const failed = compact.error ?? check.error;
  return (
    <section className={classes.group} aria-label={t`File`}>
      <h2 className="t-semi">{t`File`}</h2>
      <p className={`t-2 ${classes.about}`}>
        <Trans>
          Compacting rewrites the file without unused space; reads continue and writes wait meanwhile.
          Checking reads the whole file and counts its documents again.
        </Trans>
      </p>
      {space !== null && <p className={`t-12 t-2 ${classes.figures}`}>{formatSpace(space)}</p>}
      <div className={classes.line}>
        <Button busy={compact.isPending} onClick={() => compact.mutate()}>{t`Compact`}</Button>
        <Button busy={check.isPending} onClick={() => check.mutate()}>{t`Check file`}</Button>
      </div>
      {failed !== null && (
        <p className="problem" role="alert">
          {problemOf(failed).message}
        </p>
      )}
      <FileJob kind="compact" started={compact.data?.id} name={t`Compact`} done={t`Compacted`} />
      <FileJob kind="check" started={check.data?.id} name={t`Check`} done={t`The file is intact`} />
    </section>
  );
}

function formatSpace({ totalBytes, walBytes, unusedBytes, neededBytes, freeBytes }: StoreSpace): string {
  const used = t`${formatBytes(totalBytes)} on the disk, of which ${formatBytes(unusedBytes)} are unused and ${formatBytes(walBytes)} are the write-ahead log.`;
  const needs =
    freeBytes < neededBytes
      ? t`Compacting needs ${formatBytes(neededBytes)} of free disk space while it runs; ${formatBytes(freeBytes)} are free.`
      : t`Compacting needs ${formatBytes(neededBytes)} of free disk space while it runs.`;
  return `${used} ${needs}`;
}

interface FileJobProps {
  kind: 'compact' | 'check';
  /** The job that was started on this page. */
  started: Job['id'] | undefined;
  name: string;
  done: string;
}

/** Returns the job that was started on this page or, for example after a reload, a running one. */
function useFileJob(kind: FileJobProps['kind'], started: FileJobProps['started']): Job | undefined {
  return useLive(
    ({ jobs }) =>
      jobs.get(started ?? '') ?? [...jobs.values()].find(job => job.kind === kind && job.state === 'running'),
  );
}

/** Progress of a job with a button to cancel it, then its result. */
function FileJob({ kind, started, name, done }: FileJobProps) {
  const job = useFileJob(kind, started);
  const id = job?.id ?? '';
  useShowsJob(job?.id);
  const cancel = useChange({ mutationFn: () => client.jobs.cancel({ job: id }) });
  if (job === undefined) return null;
  if (job.state === 'failed') return <Note tone="bad">{job.error}</Note>;
  if (job.state === 'cancelled') return <Note tone="plain">{t`Cancelled.`}</Note>;
  if (job.state === 'done') {
    return (
      <p className={classes.result} role="status">
        <Icon name="check" className="c-ok" />
        <span>
          {done}: {job.result}.
        </span>
      </p>
    );
  }
  return (
    <>
      <div className={classes.progress}>
        <Meter label={name} done={job.done} total={job.total} />
        <Button small busy={cancel.isPending} onClick={() => cancel.mutate()}>{t`Cancel`}</Button>
      </div>
      {cancel.error !== null && (
        <p className="problem" role="alert">
          {problemOf(cancel.error).message}
        </p>
      )}
    </>
  );
}
