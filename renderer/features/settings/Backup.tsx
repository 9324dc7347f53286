import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { client, engineNow, problemOf, useChange, useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { Meter } from '../../components/figures/Meter.tsx';
import { usePageCommands } from '../../components/navigation/page-commands.ts';
import { useShowsJob } from '../../components/overlays/jobs-on-page.ts';
import { Note } from '../../components/status/Note.tsx';
import { formatBytes, formatDuration } from '../../i18n/format.ts';
import { suggestedBackup } from './backup-path.ts';
import classes from './settings.module.css';

/** Writes a checked copy of the whole store while it keeps running [B1]. */
export function Backup() {
  const namesPaths = useLive(({ store }) => store?.namesPaths === true);
  const file = useLive(({ store }) => (store?.namesPaths === true ? store.file : store?.name) ?? '');
  const refusal = useRefusal('store.backup');
  const [typed, setTyped] = useState<string | null>(null);
  const path = typed ?? suggestedBackup(file, engineNow());
  const start = useChange({ mutationFn: () => client.store.backup({ file: path.trim() }) });
  const canStart = refusal === null && path.trim() !== '' && !start.isPending;
  usePageCommands(
    canStart ? [{ label: t`Back up now`, detail: path, icon: 'download', run: () => start.mutate() }] : [],
  );
  const problem = start.error === null ? null : problemOf(start.error).message;
  return (
    <section className={classes.group} aria-label={t`Backup`}>
      <h2 className="t-semi">{t`Backup`}</h2>
      <p className={`t-2 ${classes.about}`}>
        <Trans>
          A copy of the whole store as of one instant, checked after it is written. The store keeps running.
          When the copy is opened, removal is held until you confirm.
        </Trans>
      </p>
      {refusal !== null ? (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} /> <Trans>No backup. {refusal}</Trans>
        </p>
      ) : (
        <form
          className={classes.line}
          aria-label={t`Backup now`}
          onSubmit={event => {
            event.preventDefault();
            if (canStart) start.mutate();
          }}
        >
          <TextInput
            classNames={{ input: 'mono' }}
            aria-label={
              namesPaths
                ? t`File, on the machine that runs the store`
                : t`File name, in the folder of backups on the machine that runs the store`
            }
            value={path}
            error={problem !== null && t`Backup failed. ${problem}`}
            onChange={event => {
              setTyped(event.target.value);
              if (problem !== null) start.reset();
            }}
          />
          <Button
            type="submit"
            variant="primary"
            busy={start.isPending}
            disabled={path.trim() === ''}
          >{t`Back up now`}</Button>
        </form>
      )}
      {start.data !== undefined && <BackupJob id={start.data.id} />}
    </section>
  );
}

function BackupJob({ id }: { id: string }) {
  const job = useLive(({ jobs }) => jobs.get(id));
  useShowsJob(id);
  const cancel = useChange({ mutationFn: () => client.jobs.cancel({ job: id }) });
  if (job === undefined) return null;
  const { state, done, total, subject, startedAt, endedAt, error } = job;
  if (state === 'failed' || state === 'cancelled') {
    return (
      <Note tone={state === 'failed' ? 'bad' : 'plain'}>
        {state === 'failed'
          ? t`The backup failed. ${error ?? ''}`
          : t`The backup was cancelled, and its file removed.`}
      </Note>
    );
  }
  if (state === 'done') {
    return (
      <p className={classes.result} role="status">
        <Icon name="check" className="c-ok" />
        <span>
          <Trans>
            {formatBytes(done)} written and checked in {formatDuration((endedAt ?? startedAt) - startedAt)}:
          </Trans>{' '}
          <span className="mono wrap">{job.result ?? subject}</span>
        </span>
      </p>
    );
  }
  return (
    <>
      <div className={classes.progress}>
        <span className="t-12 nowrap" role="status">
          {total === null ? formatBytes(done) : t`${formatBytes(done)} of ${formatBytes(total)}`}
        </span>
        <Meter label={t`Backup`} done={done} total={total} />
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
