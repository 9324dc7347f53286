import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { TtlIndexDefinition } from '../../../../shared/model/ttl-index.ts';
import { client, problemOf, useChange, useLive, useRefusal } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import classes from './schema-set-up.module.css';

interface MissingTableIndexProps {
  collection: string;
  /** A TTL index, or the source of one that is not created yet. */
  of: { index: string } | { source: TtlIndexDefinition['source'] };
  /** The statement that creates the index. */
  statement: string;
}

/** Offers to create the index without which the whole table is read, as a job. */
export function MissingTableIndex({ collection, of, statement }: MissingTableIndexProps) {
  const refusal = useRefusal('governance.createIndex');
  const isBuilding = useLive(({ jobs }) =>
    [...jobs.values()].some(
      job => job.kind === 'index build' && job.state === 'running' && job.collection === collection,
    ),
  );
  const failure = useLive(({ jobs }) =>
    [...jobs.values()].findLast(
      job => job.kind === 'index build' && job.state === 'failed' && job.collection === collection,
    ),
  );
  const create = useChange({ mutationFn: () => client.governance.createIndex({ collection, of }) });
  const problem = create.error === null ? (failure?.error ?? null) : problemOf(create.error).message;
  return (
    <Note tone="warn">
      <div className={classes.missing}>
        <span className="wrap">
          <Trans>
            No index gives the deadlines in order, so that the whole table is read:{' '}
            <span className="mono">{statement}</span>
          </Trans>
        </span>
        <Button
          busy={create.isPending || isBuilding}
          disabled={refusal !== null}
          {...(refusal !== null && { title: refusal })}
          onClick={() => create.mutate()}
        >
          {isBuilding ? t`Creating the index` : t`Create the index`}
        </Button>
      </div>
      {problem !== null && !isBuilding && <p className="wrap c-overdue">{problem}</p>}
    </Note>
  );
}
