import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import { addressOf, type ConnectionRecord, HOME_CONNECTION } from '../../../shared/contract/connections.ts';
import { useLive, useMayConnect } from '../../api.ts';
import { DataTable } from '../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../components/data-table/data-table.ts';
import { toConnection, toConnections } from '../../components/navigation/location.ts';
import { ConnectionMark } from '../../components/status/ConnectionMark.tsx';
import { ProductionTag } from '../../components/status/ProductionTag.tsx';
import { formatBytes } from '../../i18n/format.ts';
import { ConnectionActions } from './ConnectionActions.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import classes from './connections.module.css';
import { isDamaged } from './damaged/is-damaged.ts';
import { useConnectionSizes } from './use-connection-sizes.ts';

interface ConnectionRow {
  record: ConnectionRecord;
  isHere: boolean;
  /** Undefined: not known. */
  bytes: number | undefined;
  mayChange: boolean;
}

const column = columnsFor<ConnectionRow>();

const COLUMNS = column.columns([
  column.accessor(({ record }) => record.name, {
    id: 'name',
    header: t`Name`,
    meta: { className: 'name' },
    cell: ({ row: { original } }) => <Name record={original.record} />,
  }),
  column.accessor(({ record }) => record.environment, {
    id: 'environment',
    header: t`Environment`,
    meta: { className: classes.env },
    cell: ({ getValue }) =>
      getValue() === 'production' ? <ProductionTag /> : <span className="t-2">{t`Development`}</span>,
  }),
  column.accessor(({ record }) => record.state.is, {
    id: 'state',
    header: t`State`,
    meta: { className: classes.state },
    cell: ({ row: { original } }) => (
      <ConnectionState state={original.record.state} readOnly={original.record.readOnly} />
    ),
  }),
  column.accessor(({ record }) => addressOf(record.target), {
    id: 'file',
    header: t`File or address`,
    meta: { className: classes.file, cellClassName: 'mono' },
    cell: ({ row: { original } }) => (
      <bdi title={addressOf(original.record.target)}>{addressOf(original.record.target)}</bdi>
    ),
  }),
  column.accessor('bytes', {
    header: t`Size`,
    meta: { className: classes.size, isNumeric: true },
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      original.bytes !== undefined && <span className="t-2">{formatBytes(original.bytes)}</span>,
  }),
  column.display({
    id: 'actions',
    header: () => <span className="visually-hidden">{t`Actions`}</span>,
    meta: { className: classes.acts, isNumeric: true },
    cell: ({ row: { original } }) =>
      original.mayChange && <ConnectionActions record={original.record} isHere={original.isHere} />,
  }),
]);

/** All connections of this Sandglass; home first, until they are sorted. */
export function ConnectionsTable() {
  const connections = useLive(state => state.connections);
  const at = useLive(state => state.at);
  const sizes = useConnectionSizes(connections ?? []);
  const mayChange = useMayConnect();
  const data = useMemo(
    () =>
      (connections ?? []).map(record => ({
        record,
        isHere: record.id === at,
        bytes: sizes.get(record.id),
        mayChange,
      })),
    [connections, at, sizes, mayChange],
  );
  const table = useDataTable({ columns: COLUMNS, data, getRowId: ({ record }) => record.id });
  return (
    <section
      className={`panel scroll grow ${classes.connections}`}
      aria-label={t`All connections`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      <DataTable
        table={table}
        label={t`Connections`}
        isCurrent={({ isHere }) => isHere}
        renderBelow={({ record, mayChange: maySave }) =>
          record.state.is === 'failed' ? (
            <Failure record={record} message={record.state.message} maySave={maySave} />
          ) : null
        }
      />
    </section>
  );
}

function Name({ record: { id, name, colour } }: { record: ConnectionRecord }) {
  return (
    <span title={name}>
      <ConnectionMark colour={colour} />
      <a className="name t-semi" href={toConnection(id)}>
        {name}
      </a>
      {id === HOME_CONNECTION && <span className="t-3"> {t`home`}</span>}
    </span>
  );
}

interface FailureProps {
  record: ConnectionRecord;
  message: string;
  maySave: boolean;
}

function Failure({ record, message, maySave }: FailureProps) {
  return (
    <p className={`${classes.why} t-12`}>
      <span className="wrap">{message}</span> <span className="t-3">{t`It is retried automatically.`}</span>{' '}
      {maySave && isDamaged(record) && (
        <a href={toConnections({ save: record.id })}>{t`Save what can be read…`}</a>
      )}
    </p>
  );
}
