import { t } from '@lingui/core/macro';
import { createContext, use, useMemo } from 'react';
import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { useLive, useMissing, useRefusal } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { DataTable } from '../../components/data-table/DataTable.tsx';
import { columnsFor, useDataTable } from '../../components/data-table/data-table.ts';
import { Bars } from '../../components/figures/Bars.tsx';
import { toCollection, toCreateIndex } from '../../components/navigation/location.ts';
import { Chip } from '../../components/status/Chip.tsx';
import { Upcoming } from '../../components/time/Time.tsx';
import { useIsLate } from '../../components/time/use-is-late.ts';
import { formatCount } from '../../i18n/format.ts';
import { formatGroup, formatGroupCount, formatRecords } from '../../i18n/format-engine-words.ts';
import { formatHold } from '../../i18n/format-hold.ts';
import classes from './collections.module.css';
import { indexCount } from './format-figure.ts';
import { toOverdue } from './overdue-link.ts';
import { type NextDayOf, useNextDay } from './use-next-day.ts';

const column = columnsFor<CollectionSummary>();

const COLUMNS = column.columns([
  column.accessor('name', {
    header: () => <GroupWord />,
    sortFn: 'alphanumeric',
    meta: { className: 'name' },
    cell: ({ row: { original } }) => (
      <a className="name t-semi" href={toCollection(original.name)} title={original.name}>
        {original.name}
      </a>
    ),
  }),
  column.accessor('documents', {
    header: () => <RecordsWord />,
    meta: { className: 'count', isNumeric: true },
    cell: ({ row: { original } }) => formatCount(original.documents),
  }),
  column.accessor('withDeadline', {
    header: t`With a deadline`,
    meta: { className: `count ${classes.roomy}`, isNumeric: true },
    cell: ({ row: { original } }) => formatCount(original.withDeadline),
  }),
  column.accessor('ttlIndexes', {
    header: 'TTL',
    meta: { className: 'ttl' },
    cell: ({ row: { original } }) => <Ttl summary={original} />,
  }),
  column.accessor(({ nextDeadlineAt }) => nextDeadlineAt ?? undefined, {
    id: 'next',
    header: t`Next expiry`,
    meta: { className: 'next' },
    sortDescFirst: false,
    sortUndefined: 'last',
    cell: ({ row: { original } }) => <NextExpiry summary={original} />,
  }),
  column.accessor('overdue', {
    header: t`Overdue`,
    meta: { className: 'overdue', isNumeric: true },
    cell: ({ row: { original } }) => <Overdue summary={original} />,
  }),
  column.display({
    id: 'day',
    header: t`Next 24 hours`,
    meta: { className: 'day' },
    cell: ({ row: { original } }) => <Day name={original.name} />,
  }),
]);

/** Values read by the cells themselves, because a row is rendered again only when its summary changes. */
const NextDay = createContext<NextDayOf>(() => null);

/** All collections of the store, and their totals. */
export function CollectionsTable() {
  const collections = useLive(state => state.collections);
  const nextDay = useNextDay();
  const data = useMemo(() => [...(collections?.values() ?? [])], [collections]);
  const table = useDataTable({ columns: COLUMNS, data, getRowId: ({ name }) => name });
  return (
    <NextDay value={nextDay}>
      <DataTable table={table} label={t`Collections`} className="collections" foot={<Sum all={data} />} />
    </NextDay>
  );
}

function GroupWord() {
  return formatGroup(useLive(({ store }) => store?.capabilities.words));
}

function RecordsWord() {
  return formatRecords(useLive(({ store }) => store?.capabilities.words));
}

function Indexes({ count }: { count: number }) {
  return count === 0 ? (
    <span className="t-3">{t`none`}</span>
  ) : (
    <span className="t-2">{indexCount(count)}</span>
  );
}

function Overdue({ summary }: { summary: CollectionSummary }) {
  const { name, overdue } = summary;
  const late = useIsLate(summary);
  if (overdue === 0) return <span className="t-3">0</span>;
  return (
    <span className={late ? 'c-overdue' : 't-2'}>
      {late && <Icon name="overdue" size={12} label={t`Overdue`} />}{' '}
      <a className="count" href={toOverdue(summary)} title={t`Overdue documents of ${name}`}>
        {formatCount(overdue)}
      </a>
    </span>
  );
}

function Day({ name }: { name: string }) {
  const day = use(NextDay)(name);
  const due = day?.due.reduce((sum, count) => sum + count, 0) ?? 0;
  if (day === null || due === 0) return <span className="t-3">{t`none`}</span>;
  return (
    <Bars counts={day.due} colour={day.colour} label={t`${formatCount(due)} expire in the next 24 hours`} />
  );
}

function formatOverdue(reaper: ReaperState['state'] | undefined): string {
  if (reaper === 'off') return t`hidden, not removed`;
  return reaper === 'engine' ? t`not removed yet` : t`removing now`;
}

function NextExpiry({ summary }: { summary: CollectionSummary }) {
  const mayConfigure = useRefusal('ttlIndexes.create') === null;
  const reaper = useLive(live => live.reaper?.state);
  if (summary.state === 'building') return <span className="t-2">{t`building…`}</span>;
  if (summary.state === 'paused') {
    return <Chip state="paused" title={summary.paused ? t`By ${summary.paused.by}` : undefined} />;
  }
  const [hold] = summary.holds;
  if (summary.state === 'held') return <Chip state="held" title={hold && formatHold(hold)} />;
  if (summary.nextDeadlineAt !== null) return <Upcoming at={summary.nextDeadlineAt} />;
  if (summary.overdue > 0) return <span className="t-2">{formatOverdue(reaper)}</span>;
  if (summary.ttlIndexes === 0 && mayConfigure)
    return <a href={toCreateIndex(summary.name)}>{t`Create index…`}</a>;
  return <span className="t-3">{t`none`}</span>;
}

/** The collection's indexes or, on an engine without indexes, its number of documents with a deadline. */
function Ttl({ summary }: { summary: CollectionSummary }) {
  const hasIndexes = useMissing('ttlIndexes') === null;
  if (hasIndexes) return <Indexes count={summary.ttlIndexes} />;
  const { withDeadline } = summary;
  if (withDeadline === 0) return <span className="t-3">{t`none`}</span>;
  return <span title={t`${formatCount(withDeadline)} with a TTL`}>{formatCount(withDeadline)}</span>;
}

function Sum({ all }: { all: readonly CollectionSummary[] }) {
  const words = useLive(({ store }) => store?.capabilities.words);
  const hasIndexes = useMissing('ttlIndexes') === null;
  const sum = (read: (summary: CollectionSummary) => number) =>
    all.reduce((total, one) => total + read(one), 0);
  const overdue = sum(one => one.overdue);
  return (
    <tr>
      <td className="t-3">{formatGroupCount(words, all.length)}</td>
      <td className="num t-2">{formatCount(sum(one => one.documents))}</td>
      <td className={`num ${classes.roomy} t-2`}>{formatCount(sum(one => one.withDeadline))}</td>
      <td className="ttl t-2">
        {hasIndexes ? indexCount(sum(one => one.ttlIndexes)) : formatCount(sum(one => one.withDeadline))}
      </td>
      <td />
      <td className="num t-2">{formatCount(overdue)}</td>
      <td className="day" />
    </tr>
  );
}
