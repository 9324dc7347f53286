import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { visibleText } from '../../../../shared/model/visible-text.ts';
import { IconButton } from '../../../components/controls/Button.tsx';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { formatCount } from '../../../i18n/format.ts';
import { canRetry, type Failure, isRemoved } from './apply-edits.ts';

const column = columnsFor<Failure>();

const COLUMNS = column.columns([
  column.accessor('_id', {
    header: '_id',
    meta: { width: 180 },
    cell: ({ row: { original } }) => (
      <span className="mono" title={visibleText(original._id)}>
        {visibleText(original._id)}
      </span>
    ),
  }),
  column.accessor('message', {
    header: t`Reason`,
    cell: ({ row: { original } }) => <span title={original.message}>{original.message}</span>,
  }),
  column.accessor(failure => formatNextStep(failure), {
    id: 'next',
    header: t`Next step`,
    meta: { width: 200, isNumeric: true, cellClassName: 't-12 t-3' },
  }),
]);

/** Edits that failed, with their messages. */
export function FailuresPanel({
  failed,
  total,
  onClose,
}: {
  failed: readonly Failure[];
  total: number;
  onClose: () => void;
}) {
  const table = useDataTable({ columns: COLUMNS, data: failed, getRowId: ({ _id }) => _id });
  return (
    <section className="pop fails" aria-label={t`Failures`}>
      <div className="panel-h line">
        <h2>{t`Not changed`}</h2>
        <span className="t-12 t-3">
          <Trans>
            {formatCount(failed.length)} of {formatCount(total)}
          </Trans>
        </span>
        <span className="spacer" />
        <IconButton icon="x" label={t`Close`} onClick={onClose} />
      </div>
      <div className="fails-rows">
        <DataTable table={table} label={t`Edits that failed`} />
      </div>
    </section>
  );
}

function formatNextStep(failure: Failure): string {
  if (isRemoved(failure)) return t`expired or deleted`;
  return canRetry(failure) ? t`can be retried` : t`needs another expiration`;
}
