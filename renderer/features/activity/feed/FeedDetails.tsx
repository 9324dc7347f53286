import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { EXPLICIT } from '../../../../shared/model/ttl-index.ts';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { toActivity, toCollection, toEditIndex } from '../../../components/navigation/location.ts';
import { Ago, Instant } from '../../../components/time/Time.tsx';
import { formatCount, formatLag } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import { formatIndexName } from '../passes/format-pass.ts';
import type { FeedRow } from './feed-log.ts';
import { formatRow, formatRowLag } from './format-feed.ts';

interface FeedDetailsProps {
  row: FeedRow;
  onClose: () => void;
}

/** Documents of one row. */
export function FeedDetails({ row, onClose }: FeedDetailsProps) {
  const { expiry, collection } = row;
  return (
    <aside className="drawer" aria-label={t`Revision ${formatCount(row.revision)}`}>
      <div className="row drawer-h">
        <b className="t-semi grow">
          <Trans>Revision {formatCount(row.revision)}</Trans>
        </b>
        <IconButton icon="x" label={t`Close`} shortcut="Esc" onClick={onClose} />
      </div>
      <div className="drawer-b">
        <section>
          <p className="wrap">{formatRow(row)}</p>
          <dl className={`${classes.facts} t-12`}>
            <dt>{t`Committed`}</dt>
            <dd>
              <Instant at={row.at} />, <Ago at={row.at} className="t-2" />
            </dd>
            <dt>{t`Collection`}</dt>
            <dd className="wrap">
              <a href={toCollection(collection)}>{collection}</a>
            </dd>
            {expiry !== null && (
              <>
                <dt>{t`Index`}</dt>
                <dd className="wrap">
                  {expiry.index === EXPLICIT ? (
                    formatIndexName(expiry.index)
                  ) : (
                    <a href={toEditIndex(collection, expiry.index)}>{expiry.index}</a>
                  )}
                </dd>
                {expiry.pass > 0 && (
                  <>
                    <dt>{t`Pass`}</dt>
                    <dd>
                      <a href={toActivity('passes', { collection })}>{formatCount(expiry.pass)}</a>
                    </dd>
                  </>
                )}
                <dt>{t`Lag`}</dt>
                <dd>{formatRowLag(row)}</dd>
              </>
            )}
          </dl>
        </section>
        <Documents row={row} />
        {expiry !== null && (
          <section>
            <a href={toActivity('expired', { collection })}>
              <Trans>Expired in {collection}</Trans>
            </a>
          </section>
        )}
      </div>
    </aside>
  );
}

type Item = FeedRow['items'][number];
const column = columnsFor<Item>();

function idColumn(header: string) {
  return column.accessor('_id', {
    header,
    cell: ({ row: { original } }) => (
      <span className="mono" title={visibleText(original._id)}>
        {visibleText(original._id)}
      </span>
    ),
  });
}

const DEFINED = column.columns([idColumn(t`Definition`)]);
const WRITTEN = column.columns([idColumn(t`Document`)]);
const EXPIRED = column.columns([
  idColumn(t`Document`),
  column.accessor(({ due }) => due?.deadlineAt, {
    id: 'due',
    header: t`Was due`,
    meta: { cellClassName: 't-2' },
    cell: ({ row: { original } }) => original.due !== null && <Instant at={original.due.deadlineAt} />,
  }),
  column.accessor(({ due }) => due?.lagMs, {
    id: 'lag',
    header: t`Lag`,
    meta: { cellClassName: 't-2', isNumeric: true },
    cell: ({ row: { original } }) => original.due !== null && formatLag(original.due.lagMs),
  }),
]);

function Documents({ row }: { row: FeedRow }) {
  const columns = row.expiry !== null ? EXPIRED : row.kind === 'definition' ? DEFINED : WRITTEN;
  const table = useDataTable({ columns, data: row.items, getRowId: ({ position }) => String(position) });
  const more = row.count - row.items.length;
  return (
    <section>
      <DataTable table={table} label={t`Documents of the batch`} className="changed t-12" />
      <p className="t-12 t-3">{more > 0 ? t`and ${formatCount(more)} more, not listed` : t`End of batch`}</p>
    </section>
  );
}
