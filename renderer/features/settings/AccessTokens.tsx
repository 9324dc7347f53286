import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { permits } from '../../../shared/contract/permissions.ts';
import type { TokenRecord } from '../../../shared/contract/tokens.ts';
import { client, orpc, problemOf, useChange, useLive } from '../../api.ts';
import { Button } from '../../components/controls/Button.tsx';
import { Icon } from '../../components/controls/Icon.tsx';
import { DataTable } from '../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../components/data-table/data-table.ts';
import { Note } from '../../components/status/Note.tsx';
import { useAtTick, useZone } from '../../components/time/clock.ts';
import { fullInstant } from '../../components/time/full-instant.ts';
import { Ago, Upcoming } from '../../components/time/Time.tsx';
import { NewToken } from './NewToken.tsx';
import { RevokeToken } from './RevokeToken.tsx';
import classes from './settings.module.css';

/** Access tokens for HTTP [P1]. Listed only with the permission `configure`. */
export function AccessTokens() {
  const may = useLive(({ store }) => store !== null && permits(store.permission, 'configure'));
  return (
    <section className={classes.group} aria-label={t`Access tokens`}>
      <h2 className="t-semi">{t`Access tokens`}</h2>
      <p className={`t-2 ${classes.about}`}>
        <Trans>
          Programs and other people reach this store over HTTP with a token. Each permission includes the ones
          before: read, write, configure. Follow lets another host mirror the store, and nothing else.
        </Trans>
      </p>
      {may ? (
        <Tokens />
      ) : (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} /> <Trans>Tokens need the permission configure.</Trans>
        </p>
      )}
    </section>
  );
}

/** End of a token; an expired token is refused, and stays listed until it is revoked. */
function Ends({ at }: { at: number }) {
  const [zone] = useZone();
  const isOver = useAtTick(now => at <= now);
  if (!isOver) return <Upcoming at={at} />;
  return <span className="c-overdue" {...fullInstant(at, zone)}>{t`ended`}</span>;
}

const NONE: readonly TokenRecord[] = [];
const column = columnsFor<TokenRecord>();

function columnsOf({
  isReadOnly,
  onRevoke,
}: {
  isReadOnly: boolean;
  onRevoke: (token: TokenRecord) => void;
}) {
  return column.columns([
    column.accessor('name', {
      header: t`Name`,
      cell: ({ row: { original } }) => (
        <span className="t-semi" title={original.name}>
          {original.name}
        </span>
      ),
    }),
    column.accessor('permission', { header: t`Permission`, meta: { className: classes.permission } }),
    column.accessor('createdAt', {
      header: t`Created`,
      meta: { className: classes.time, cellClassName: 't-2' },
      cell: ({ row: { original } }) => (
        <span title={t`by ${original.createdBy}`}>
          <Ago at={original.createdAt} />
        </span>
      ),
    }),
    column.accessor(({ lastUsedAt }) => lastUsedAt ?? undefined, {
      id: 'lastUsedAt',
      header: t`Last used`,
      meta: { className: classes.time, cellClassName: 't-2' },
      sortUndefined: 'last',
      cell: ({ row: { original } }) =>
        original.lastUsedAt === null ? t`never` : <Ago at={original.lastUsedAt} />,
    }),
    column.accessor(({ expiresAt }) => expiresAt ?? undefined, {
      id: 'expiresAt',
      header: t`Ends`,
      meta: { className: classes.time, cellClassName: 't-2' },
      sortDescFirst: false,
      sortUndefined: 'last',
      cell: ({ row: { original } }) =>
        original.expiresAt === null ? t`never` : <Ends at={original.expiresAt} />,
    }),
    column.display({
      id: 'revoke',
      header: () => <span className="visually-hidden">{t`Revoke`}</span>,
      meta: { className: 'revoke', isNumeric: true },
      cell: ({ row: { original } }) => (
        <Button
          small
          variant="ghost"
          disabled={isReadOnly}
          aria-label={t`Revoke ${original.name}`}
          onClick={() => onRevoke(original)}
        >{t`Revoke…`}</Button>
      ),
    }),
  ]);
}

function Tokens() {
  const { data, error } = useQuery(orpc.tokens.list.queryOptions({ staleTime: 0 }));
  // A mirror has its own tokens; a read-only store cannot store new ones.
  const isReadOnly = useLive(({ store }) => store?.readOnly === true);
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: orpc.tokens.list.queryKey() });
  const [revoking, setRevoking] = useState<TokenRecord | null>(null);
  const revoke = useChange({
    mutationFn: ({ name }: TokenRecord) => client.tokens.revoke({ name }),
    onSuccess: () => setRevoking(null),
    onSettled: refresh,
  });
  const columns = useMemo(() => columnsOf({ isReadOnly, onRevoke: setRevoking }), [isReadOnly]);
  const table = useDataTable({ columns, data: data ?? NONE, getRowId: ({ name }) => name });
  if (error !== null)
    return (
      <Note tone="bad">
        <Trans>No tokens. {problemOf(error).message}</Trans>
      </Note>
    );
  if (data === undefined) return <div aria-busy="true" />;
  return (
    <>
      {data.length === 0 ? (
        <p className={`t-3 ${classes.none}`}>
          <Trans>No tokens yet. Only this window, and the link it was opened with, have access.</Trans>
        </p>
      ) : (
        <div className={classes.table}>
          <DataTable table={table} label={t`Access tokens`} className={classes.tokens} />
        </div>
      )}
      {isReadOnly ? (
        <p className={`${classes.refusal} t-2`}>
          <Icon name="lock" size={14} />{' '}
          <Trans>This connection is read-only: tokens cannot be created or revoked.</Trans>
        </p>
      ) : (
        <NewToken onMade={refresh} />
      )}
      <RevokeToken
        token={revoking}
        problem={revoke.error === null ? null : problemOf(revoke.error).message}
        busy={revoke.isPending}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
        onRevoke={token => revoke.mutate(token)}
      />
    </>
  );
}
