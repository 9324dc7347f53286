import { t } from '@lingui/core/macro';
import { createContext, use } from 'react';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { columnsFor } from '../../../components/data-table/data-table.ts';
import { Instant } from '../../../components/time/Time.tsx';
import { formatBatchLength, formatCount, formatDuration } from '../../../i18n/format.ts';
import { endingOf, TRIGGER_LABEL } from './format-pass.ts';

const column = columnsFor<Pass>();

export const PASS_COLUMNS = column.columns([
  column.display({
    id: 'pass',
    header: t`Pass`,
    meta: { width: 96, cellClassName: 'mono' },
    cell: ({ row: { original } }) => formatCount(original.id),
  }),
  column.display({
    id: 'cutoff',
    header: t`Cutoff`,
    meta: { width: 104, cellClassName: 't-2' },
    cell: ({ row: { original } }) => <Instant at={original.cutoff} />,
  }),
  column.display({
    id: 'trigger',
    header: t`Trigger`,
    meta: { width: 92, className: 'spare', cellClassName: 't-2' },
    cell: ({ row: { original } }) => TRIGGER_LABEL[original.trigger],
  }),
  column.display({
    id: 'collection',
    header: t`Collection`,
    meta: { width: 150 },
    cell: ({ row: { original } }) => <span title={original.collection}>{original.collection}</span>,
  }),
  column.display({
    id: 'removed',
    header: t`Removed`,
    meta: { width: 86, isNumeric: true },
    cell: ({ row: { original } }) => <Count count={original.removed} />,
  }),
  column.display({
    id: 'changed',
    header: t`Changed`,
    meta: { width: 76, isNumeric: true, className: 'spare' },
    cell: ({ row: { original } }) => <Count count={original.changed} />,
  }),
  column.display({
    id: 'quarantined',
    header: t`Quarantined`,
    meta: { width: 100, isNumeric: true, className: 'spare' },
    cell: ({ row: { original } }) => <Count count={original.quarantined} tone="c-quarantined" />,
  }),
  column.display({
    id: 'took',
    header: t`Duration`,
    meta: { width: 78, isNumeric: true, cellClassName: 't-2' },
    cell: ({ row: { original } }) => formatDuration(original.endedAt - original.startedAt),
  }),
  column.display({
    id: 'batch',
    header: t`Longest batch`,
    meta: { width: 108, isNumeric: true, className: 'extra', cellClassName: 't-2' },
    cell: ({ row: { original } }) => formatBatchLength(original.longestBatchMs),
  }),
  column.display({
    id: 'ended',
    header: t`Ended`,
    cell: ({ row: { original } }) => <Ending pass={original} />,
  }),
]);

/** Whether the reaper is active, which decides the label of an unfinished pass. */
export const ReaperActive = createContext(false);

function Ending({ pass }: { pass: Pass }) {
  const ending = endingOf(pass, use(ReaperActive));
  return (
    <span title={pass.error ?? ending.meaning}>
      <span className={ending.className}>
        <Icon name={ending.icon} size={12} />
        &ensp;{ending.word}
      </span>
      {pass.error !== null && <span className="t-3"> · {pass.error}</span>}
    </span>
  );
}

function Count({ count, tone = '' }: { count: number; tone?: string }) {
  return <span className={count === 0 ? 't-3' : tone}>{formatCount(count)}</span>;
}
