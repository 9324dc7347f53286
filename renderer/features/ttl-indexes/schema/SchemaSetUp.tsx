import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { client, orpc, problemOf, queryClient, useChange, useMissing, useRefusal } from '../../../api.ts';
import { CodeBlock } from '../../../components/code/CodeBlock.tsx';
import { Button } from '../../../components/controls/Button.tsx';
import { Note } from '../../../components/status/Note.tsx';
import classes from './schema-set-up.module.css';

type IndexSchema = Awaited<ReturnType<typeof client.governance.schema>>;

/**
 * Returns the schema in which a remote database keeps its TTL indexes; null: this store keeps them without one. `unknown`
 * until it is read.
 */
export function useIndexSchema(): IndexSchema | null | 'unknown' {
  const isKept = useMissing('governance') === null;
  const { data } = useQuery(orpc.governance.schema.queryOptions({ enabled: isKept }));
  if (!isKept) return null;
  return data ?? 'unknown';
}

/** Shows the SQL that TTL indexes need in a database of others, and executes it once a person agrees. */
export function SchemaSetUp({ schema: { schema, sql } }: { schema: IndexSchema }) {
  const refusal = useRefusal('governance.createSchema');
  const create = useChange({
    mutationFn: () => client.governance.createSchema(),
    onSuccess: created => queryClient.setQueryData(orpc.governance.schema.queryKey(), created),
  });
  if (schema === 'newer') {
    return (
      <section className={classes.setUp}>
        <Note tone="bad">{t`A later version of Sandglass keeps TTL indexes in this database. This version leaves them alone.`}</Note>
      </section>
    );
  }
  return (
    <section className={classes.setUp} aria-labelledby="set-up-title">
      <h2 id="set-up-title" className="t-head">{t`Set up TTL indexes in this database`}</h2>
      <p className="wrap">
        <Trans>
          TTL indexes, their history and what was removed are kept in a schema named{' '}
          <span className="mono">sandglass</span> of this database. Nothing is created before you agree to
          this SQL; your tables stay as they are.
        </Trans>
      </p>
      <div className={classes.sql}>
        <CodeBlock text={sql} />
      </div>
      {create.error !== null && <Note tone="bad">{problemOf(create.error).message}</Note>}
      <div className="row">
        <Button
          variant="primary"
          busy={create.isPending}
          disabled={refusal !== null}
          {...(refusal !== null && { title: refusal })}
          onClick={() => create.mutate()}
        >{t`Create the schema`}</Button>
        {refusal !== null && <span className="hint wrap">{refusal}</span>}
      </div>
    </section>
  );
}
