import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo, useState } from 'react';
import type { LeaseRecord } from '../../../shared/contract/leases.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { orpc, problemOf, useLiveQuery, useRefusal } from '../../api.ts';
import { IconButton } from '../../components/controls/Button.tsx';
import { DataTable } from '../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../components/data-table/data-table.ts';
import { toCollection } from '../../components/navigation/location.ts';
import { Menu } from '../../components/overlays/Menu.tsx';
import { Note } from '../../components/status/Note.tsx';
import { RelativeTime } from '../../components/time/Time.tsx';
import { formatCount, formatDuration } from '../../i18n/format.ts';
import { GrantLease } from './GrantLease.tsx';
import { LeaseQuestion } from './LeaseQuestion.tsx';
import type { LeaseChange } from './lease-change.ts';
import classes from './leases.module.css';

const MOST_LEASES = 500;
const READ_EVERY_MS = 5_000;
/** Prefixes that are named with keys without a lease. */
const MOST_PREFIXES = 5;

/** The leases of an etcd cluster, those that end first at the beginning, and the prefixes whose keys have none. */
export function LeasesPanel() {
  const { data, error } = useLiveQuery(orpc.leases.list.queryOptions({ input: { limit: MOST_LEASES } }), {
    collection: null,
    everyMs: READ_EVERY_MS,
  });
  const mayWrite = useRefusal('leases.revoke') === null;
  const [change, setChange] = useState<LeaseChange | null>(null);
  const columns = useMemo(() => columnsOf(mayWrite ? setChange : null), [mayWrite]);
  const table = useDataTable({ data: data?.leases ?? NONE, columns, getRowId: ({ id }) => id });
  const total = data?.total ?? 0;
  const shown = formatCount(data?.leases.length ?? 0);
  return (
    <section className={`panel ${classes.panel}`} aria-label={t`Leases`}>
      <div className="panel-h line">
        <h2>{t`Leases`}</h2>
        <span className="t-12 t-3">{data === undefined ? '' : formatCount(total)}</span>
        <span className="spacer" />
        {mayWrite && <GrantLease />}
      </div>
      {error !== null && <Note tone="bad">{problemOf(error).message}</Note>}
      {data !== undefined && total === 0 && (
        <p className={`${classes.none} t-2`}>{t`No lease is granted: no key expires.`}</p>
      )}
      {total > 0 && <DataTable table={table} label={t`Leases`} className={classes.table} />}
      {data?.next != null && (
        <p className={`${classes.none} t-12 t-3`}>
          <Trans>The {shown} leases that end first are shown.</Trans>
        </p>
      )}
      {data !== undefined && data.withoutLease.length > 0 && <WithoutLease prefixes={data.withoutLease} />}
      {change !== null && <LeaseQuestion change={change} onClose={() => setChange(null)} />}
    </section>
  );
}

const NONE: readonly LeaseRecord[] = [];
const column = columnsFor<LeaseRecord>();

function columnsOf(onChange: ((change: LeaseChange) => void) | null) {
  return column.columns([
    column.accessor('id', {
      header: t`Lease`,
      meta: { className: classes.id },
      cell: ({ row: { original } }) => <span className="mono">{original.id}</span>,
    }),
    column.accessor('deadlineAt', {
      header: t`Ends`,
      meta: { className: classes.time },
      cell: ({ row: { original } }) => <RelativeTime at={original.deadlineAt} />,
    }),
    column.accessor('grantedSeconds', {
      header: t`Granted`,
      meta: { className: classes.time, cellClassName: 't-2' },
      cell: ({ row: { original } }) => formatDuration(original.grantedSeconds * 1_000),
    }),
    column.accessor('keyCount', {
      header: t`Keys`,
      cell: ({ row: { original } }) => <Keys {...original} />,
    }),
    column.display({
      id: 'actions',
      header: () => <span className="visually-hidden">{t`Actions`}</span>,
      meta: { className: classes.actionColumn, isNumeric: true },
      cell: ({ row: { original: lease } }) =>
        onChange !== null && (
          <Menu
            target={<IconButton icon="more" label={t`More for ${lease.id}`} />}
            groups={[
              [{ label: t`Keep alive…`, onSelect: () => onChange({ kind: 'keep alive', lease }) }],
              [{ label: t`Revoke…`, danger: true, onSelect: () => onChange({ kind: 'revoke', lease }) }],
            ]}
          />
        ),
    }),
  ]);
}

function Keys({ keys, keyCount }: LeaseRecord) {
  const names = keys.map(visibleText).join(', ');
  return (
    <span className="ell" title={names}>
      {plural(keyCount, { 0: 'none', one: '# key', other: '# keys' })}{' '}
      <span className="t-3 mono">{names}</span>
    </span>
  );
}

function WithoutLease({ prefixes }: { prefixes: readonly { collection: string; keys: number }[] }) {
  const more = formatCount(prefixes.length - MOST_PREFIXES);
  return (
    <p className={`${classes.none} t-12 t-2`}>
      {t`Keys without a lease never expire:`}{' '}
      {prefixes.slice(0, MOST_PREFIXES).map(({ collection, keys }, i) => (
        <span key={collection}>
          {i > 0 && ', '}
          <a href={toCollection(collection, 'documents', { state: 'never' })}>
            {visibleText(collection)} ({formatCount(keys)})
          </a>
        </span>
      ))}
      {prefixes.length > MOST_PREFIXES && <Trans>, and {more} more prefixes</Trans>}
    </p>
  );
}
