import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../shared/contract/jobs.ts';
import { formatBytes } from '../../../shared/model/format.ts';
import { client, problemOf, useChange, useLive, useRefusal } from '../../api.ts';
import { Button } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Meter } from '../../components/Meter.tsx';
import { Note } from '../../components/Note.tsx';

/** Compacts the store's file and checks it, each as a job with its result [S3]. */
export function FileCare() {
  const refusal = useRefusal('configure');
  const space = useQuery({ queryKey: ['store', 'space'], queryFn: () => client.store.space() });
  const compact = useChange({ mutationFn: () => client.store.compact() });
  const check = useChange({ mutationFn: () => client.store.check() });
  if (refusal !== null) return null;
  const failed = compact.error ?? check.error;
  return (
    <section className="settings-group" aria-label="File">
      <h2 className="t-semi">File</h2>
      <p className="t-2 settings-about">
        Compacting writes the file anew without unused space; reads go on and writes wait meanwhile. Checking
        reads the whole file and counts its documents again.
        {space.data !== undefined &&
          ` ${formatBytes(space.data.unusedBytes)} of ${formatBytes(space.data.bytes)} are unused; compacting needs ${formatBytes(space.data.neededBytes)} for a while.`}
      </p>
      <div className="settings-line">
        <Button busy={compact.isPending} onClick={() => compact.mutate()}>
          Compact
        </Button>
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          Check file
        </Button>
      </div>
      {failed !== null && (
        <p className="problem" role="alert">
          {problemOf(failed).message}
        </p>
      )}
      {compact.data !== undefined && <FileJob id={compact.data.id} done="Compacted" />}
      {check.data !== undefined && <FileJob id={check.data.id} done="The file is whole" />}
    </section>
  );
}

function FileJob({ id, done }: { id: Job['id']; done: string }) {
  const job = useLive(({ jobs }) => jobs.get(id));
  if (job === undefined) return null;
  if (job.state === 'failed') return <Note tone="bad">{job.error}</Note>;
  if (job.state === 'cancelled') return <Note tone="plain">Cancelled.</Note>;
  if (job.state === 'done') {
    return (
      <p className="settings-result" role="status">
        <Icon name="check" className="c-ok" />
        <span>
          {done}: {job.result}.
        </span>
      </p>
    );
  }
  return (
    <div className="settings-progress">
      <Meter label={job.kind === 'check' ? 'Check' : 'Compact'} done={job.done} total={job.total} />
    </div>
  );
}
