import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, orpc, problemOf, useRefusal } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { DataTable } from '../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../components/data-table/data-table.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { Note } from '../../components/status/Note.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { formatCount } from '../../i18n/format.ts';
import classes from './settings.module.css';

type Follower = Awaited<ReturnType<typeof client.replication.followers>>[number];
const NONE: readonly Follower[] = [];
const column = columnsFor<Follower>();

function columnsOf({ mayForget, onForget }: { mayForget: boolean; onForget: (follower: string) => void }) {
  return column.columns([
    column.accessor('name', {
      header: t`Name`,
      cell: ({ row: { original } }) => (
        <span className="t-semi" title={original.name}>
          {original.name}
        </span>
      ),
    }),
    column.accessor('revision', {
      header: t`Revision`,
      meta: { isNumeric: true },
      cell: ({ row: { original } }) => formatCount(original.revision),
    }),
    column.accessor('behind', {
      header: t`Behind`,
      meta: { isNumeric: true },
      cell: ({ row: { original } }) => (original.behind === 0 ? t`none` : formatCount(original.behind)),
    }),
    column.accessor('seenAt', {
      header: t`Last seen`,
      meta: { cellClassName: 't-2' },
      cell: ({ row: { original } }) => <Ago at={original.seenAt} />,
    }),
    column.display({
      id: 'forget',
      header: () => <span className="visually-hidden">{t`Forget`}</span>,
      meta: { isNumeric: true },
      cell: ({ row: { original } }) =>
        mayForget && (
          <Button
            small
            variant="ghost"
            aria-label={t`Forget ${original.name}`}
            onClick={() => onForget(original.name)}
          >{t`Forget`}</Button>
        ),
    }),
  ]);
}

/** Hosts that mirror this store, with the revision of each [V5]. */
export function Followers() {
  const { data, error, refetch } = useQuery(
    orpc.replication.followers.queryOptions({ staleTime: 0, refetchInterval: 2_000 }),
  );
  const mayForget = useRefusal('replication.forget') === null;

  const columns = useMemo(
    () => columnsOf({ mayForget, onForget: follower => void forget(follower).then(() => refetch()) }),
    [mayForget, refetch],
  );
  const table = useDataTable({ columns, data: data ?? NONE, getRowId: ({ name }) => name });

  return (
    <section className={classes.group} aria-label={t`Followers`}>
      <h2 className="t-semi">{t`Followers`}</h2>
      <p className={`t-2 ${classes.about}`}>{t`Other hosts that mirror this store, read-only.`}</p>
      {error !== null && (
        <Note tone="bad">
          <Trans>No followers. {problemOf(error).message}</Trans>
        </Note>
      )}
      {data?.length === 0 && (
        <p className={`t-3 ${classes.none}`}>
          <Trans>
            No followers. To follow this store from another host, run{' '}
            <code className="mono">npm start -- --follow</code> with this host’s address and a token with the
            permission follow.
          </Trans>
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <div className={classes.table}>
          <DataTable table={table} label={t`Followers`} />
        </div>
      )}
    </section>
  );
}

async function forget(follower: string): Promise<void> {
  try {
    await client.replication.forget({ follower });
    showToast({
      kind: 'good',
      title: t`${follower} forgotten`,
      detail: t`If it reconnects, it starts over.`,
    });
  } catch (failure) {
    const { code, message } = problemOf(failure);
    showToast({ kind: 'error', title: t`${follower} not forgotten`, detail: message, code });
  }
}
