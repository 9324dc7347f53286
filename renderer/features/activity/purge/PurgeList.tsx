import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { formatErasure } from '../../../../shared/model/format-erasure.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { DataTable } from '../../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../../components/data-table/data-table.ts';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import { ERASURE_SENTENCES } from './erasure-sentences.ts';
import { usePurges } from './use-purges.ts';

const SHOWN_AT_MOST = 200;

type PurgeRow = ReturnType<typeof usePurges>[number];
const column = columnsFor<PurgeRow>();

const COLUMNS = column.columns([
  column.accessor(({ collection }) => collection ?? undefined, {
    id: 'collection',
    header: t`Collection`,
    sortUndefined: 'last',
    cell: ({ row: { original } }) =>
      original.collection === null ? (
        <span className="t-2">{t`selected or all`}</span>
      ) : (
        <span className="t-semi" title={original.collection}>
          {original.collection}
        </span>
      ),
  }),
  column.accessor('documents', {
    header: t`Documents`,
    meta: { isNumeric: true },
    cell: ({ row: { original } }) => formatCount(original.documents),
  }),
  column.accessor('by', { header: t`By` }),
  column.accessor('erasedAt', {
    header: t`Erased here`,
    meta: { cellClassName: 't-2' },
    cell: ({ row: { original } }) => <Ago at={original.erasedAt} />,
  }),
  column.accessor(purge => formatErasure(purge, ERASURE_SENTENCES), {
    id: 'state',
    header: t`State`,
    meta: { className: 'state' },
  }),
]);

/** Purges, each with its pending followers [X4]. Renders nothing without a purge. */
export function PurgeList() {
  const purges = usePurges();
  const [isOpen, setOpen] = useState(false);
  const data = useMemo(() => purges.slice(0, SHOWN_AT_MOST), [purges]);
  const table = useDataTable({ columns: COLUMNS, data, getRowId: ({ id }) => String(id) });
  if (purges.length === 0) return null;
  const pending = purges.filter(({ purgedAt }) => purgedAt === null).length;
  const label = pending > 0 ? t`Purges, ${formatCount(pending)} pending` : t`Purges`;
  return (
    <>
      <Button
        variant="ghost"
        {...(pending > 0 && { icon: 'live' as const })}
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >{t`Purges`}</Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t`Purges`} width={760}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that may scroll must take the focus */}
        <section className={classes.purges} aria-label={t`Purges`} tabIndex={0}>
          <DataTable table={table} label={t`Purges`} />
        </section>
      </Dialog>
    </>
  );
}
