import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Zone, zoneName } from '../../../shared/model/zone.ts';
import { Icon } from '../../components/controls/Icon.tsx';
import { useAtTick } from '../../components/time/clock.ts';
import { useIsLate } from '../../components/time/use-is-late.ts';
import { formatCount } from '../../i18n/format.ts';
import { prepareSlots } from './model/buckets.ts';
import { type TableRow, tableRows } from './model/table-rows.ts';
import { type TimelineAnswer, visibleOverdue, visibleSeries } from './model/timeline-model.ts';
import { bucketUnit } from './model/zoom.ts';
import classes from './timeline.module.css';

export interface TimelineTableProps {
  answer: TimelineAnswer;
  zone: Zone;
  hiddenSeries: ReadonlySet<string>;
  /** Below a width of 1600 px the table is shown only while open. */
  open: boolean;
  /** Rows before and after the row of now. */
  before?: number;
  after?: number;
}

const DAY = 86_400_000;
/** Share of the table's height above the row of now. */
const NOW_ROW_AT = 0.36;

/** The counts of the plot as a table. Rows keep their distance from now, so that the row of now keeps its place. */
export function TimelineTable({
  answer,
  zone,
  hiddenSeries,
  open,
  before = 40,
  after = 80,
}: TimelineTableProps) {
  const now = useAtTick(at => at - (at % 1_000));
  const visible = useMemo(() => visibleSeries(answer, hiddenSeries), [answer, hiddenSeries]);
  const slots = useMemo(() => prepareSlots(answer, visible), [answer, visible]);
  const rows = tableRows(slots, visible.length, now, zone, before, after);
  const scroller = useRef<HTMLDivElement>(null);
  const [placed, setPlaced] = useState(false);
  useLayoutEffect(() => {
    const box = scroller.current;
    const row = box?.querySelector<HTMLElement>('tr[aria-current=time]');
    // A hidden table has no height to scroll by. Once it is shown, the person sets the scroll position.
    if (placed || !box || !row || box.clientHeight === 0) return;
    box.scrollTop = row.offsetTop - box.clientHeight * NOW_ROW_AT;
    setPlaced(true);
  });
  const count = visibleOverdue(answer, visible);
  const waits = useIsLate(answer);
  const late = waits && count > 0;
  return (
    <section
      ref={scroller}
      className={classes.side}
      data-open={open}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={t`Timeline as a table`}
    >
      <table className="tbl">
        <caption className="visually-hidden">
          <Trans>Documents per {bucketUnit(answer.bucketMs)}, from the past to the future</Trans>
        </caption>
        <colgroup>
          <col style={{ width: 98 }} />
          <col />
          {/* Ten million, in bold. */}
          <col style={{ width: 92 }} />
          <col style={{ width: 96 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t`From now`}</th>
            <th scope="col">
              {answer.bucketMs < DAY ? t`Starts` : t`Day`}, {zoneName(now, zone)}
            </th>
            <th scope="col" className="num">{t`Expired`}</th>
            <th scope="col" className="num">{t`Will expire`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, before).map(row => (
            <Row key={row.offset} {...row} />
          ))}
          <tr className={late ? `${classes.overdue} ${classes.late}` : classes.overdue}>
            <th scope="row" colSpan={2}>
              {late && <Icon name="overdue" size={12} />} <Trans>overdue</Trans>
            </th>
            <td />
            <td className="num">{formatCount(count)}</td>
          </tr>
          {rows.slice(before).map(row => (
            <Row key={row.offset} {...row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const Row = memo(function Row({ offset, relative, starts, expired, due }: TableRow) {
  return (
    <tr className={offset === 0 ? classes.now : undefined} aria-current={offset === 0 ? 'time' : undefined}>
      <th scope="row">{relative}</th>
      <td className="t-2">{starts}</td>
      <td className="num">{expired === null ? '' : formatCount(expired)}</td>
      <td className="num">{due === null ? '' : formatCount(due)}</td>
    </tr>
  );
});
