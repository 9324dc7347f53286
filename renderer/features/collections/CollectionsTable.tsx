import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { formatHold } from '../../../shared/model/hold.ts';
import { useLive, useRefusal } from '../../api.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { Bars } from '../../components/figures/Bars.tsx';
import { toCollection, toCreateIndex } from '../../components/navigation/location.ts';
import { Chip } from '../../components/status/Chip.tsx';
import { Upcoming } from '../../components/time/Time.tsx';
import { useIsLate } from '../../components/time/use-is-late.ts';
import { indexCount } from './format-figure.ts';
import { toOverdue } from './overdue-link.ts';
import { useNextDay } from './use-next-day.ts';

/** All collections of the store, and their totals. */
export function CollectionsTable() {
  const collections = useLive(state => state.collections);
  const nextDay = useNextDay();
  const all = [...(collections?.values() ?? [])];
  return (
    <table className="tbl collections">
      <colgroup>
        <col className="name" />
        <col className="count" />
        <col className="count roomy" />
        <col className="ttl" />
        <col className="next" />
        <col className="overdue" />
        <col className="day" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Collection</th>
          <th scope="col" className="num">
            Documents
          </th>
          <th scope="col" className="num roomy">
            With a deadline
          </th>
          <th scope="col" className="ttl">
            TTL
          </th>
          <th scope="col">Next expiry</th>
          <th scope="col" className="num">
            Overdue
          </th>
          <th scope="col" className="day">
            Next 24 hours
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map(summary => (
          <Row key={summary.name} summary={summary} day={nextDay(summary.name)} />
        ))}
      </tbody>
      <Sum all={all} />
    </table>
  );
}

interface RowProps {
  summary: CollectionSummary;
  day: { due: readonly number[]; colour: string } | null;
}

function Row({ summary, day }: RowProps) {
  const { name, documents, withDeadline, ttlIndexes, overdue } = summary;
  const late = useIsLate(summary);
  const due = day?.due.reduce((sum, count) => sum + count, 0) ?? 0;
  return (
    <tr>
      <td title={name}>
        <a className="name t-semi" href={toCollection(name)}>
          {name}
        </a>
      </td>
      <td className="num">{formatCount(documents)}</td>
      <td className="num roomy">{formatCount(withDeadline)}</td>
      <td className={`ttl ${ttlIndexes === 0 ? 't-3' : 't-2'}`}>
        {ttlIndexes === 0 ? 'none' : indexCount(ttlIndexes)}
      </td>
      <td>
        <NextExpiry summary={summary} />
      </td>
      <td className={`num ${overdue === 0 ? 't-3' : late ? 'c-overdue' : 't-2'}`}>
        {late && overdue > 0 && <Icon name="overdue" size={12} label="Overdue" />}{' '}
        {overdue === 0 ? (
          '0'
        ) : (
          <a className="count" href={toOverdue(summary)} title={`Overdue documents of ${name}`}>
            {formatCount(overdue)}
          </a>
        )}
      </td>
      <td className="day">
        {day !== null && due > 0 ? (
          <Bars
            counts={day.due}
            colour={day.colour}
            label={`${formatCount(due)} expire in the next 24 hours`}
          />
        ) : (
          <span className="t-3">none</span>
        )}
      </td>
    </tr>
  );
}

function NextExpiry({ summary }: { summary: CollectionSummary }) {
  const mayConfigure = useRefusal('ttlIndexes.create') === null;
  const isOff = useLive(({ reaper }) => reaper?.state === 'off');
  if (summary.state === 'building') return <span className="t-2">building…</span>;
  if (summary.state === 'paused') {
    return <Chip state="paused" title={summary.paused ? `By ${summary.paused.by}` : undefined} />;
  }
  const [hold] = summary.holds;
  if (summary.state === 'held') return <Chip state="held" title={hold && formatHold(hold)} />;
  if (summary.nextDeadlineAt !== null) return <Upcoming at={summary.nextDeadlineAt} />;
  if (summary.overdue > 0)
    return <span className="t-2">{isOff ? 'hidden, not removed' : 'removing now'}</span>;
  if (summary.ttlIndexes === 0 && mayConfigure)
    return <a href={toCreateIndex(summary.name)}>Create index…</a>;
  return <span className="t-3">none</span>;
}

function Sum({ all }: { all: readonly CollectionSummary[] }) {
  const sum = (read: (summary: CollectionSummary) => number) =>
    all.reduce((total, one) => total + read(one), 0);
  const overdue = sum(one => one.overdue);
  return (
    <tfoot>
      <tr>
        <td className="t-3">
          {all.length === 1 ? '1 collection' : `${formatCount(all.length)} collections`}
        </td>
        <td className="num t-2">{formatCount(sum(one => one.documents))}</td>
        <td className="num roomy t-2">{formatCount(sum(one => one.withDeadline))}</td>
        <td className="ttl t-2">{indexCount(sum(one => one.ttlIndexes))}</td>
        <td />
        <td className="num t-2">{formatCount(overdue)}</td>
        <td className="day" />
      </tr>
    </tfoot>
  );
}
