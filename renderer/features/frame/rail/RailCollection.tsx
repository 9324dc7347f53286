import { plural, t } from '@lingui/core/macro';
import { type KeyboardEvent, memo } from 'react';
import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { toCollection } from '../../../components/navigation/location.ts';
import { STATE_WORD } from '../../../components/status/Chip.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { isLate } from '../../../components/time/lateness.ts';
import { formatCompact, formatCount, formatCountdown } from '../../../i18n/format.ts';
import classes from './rail.module.css';

type Mark = 'paused' | 'held' | 'overdue' | null;

function markOf(summary: CollectionSummary, now: number): Mark {
  if (summary.state === 'paused' || summary.state === 'held') return summary.state;
  return summary.overdue > 0 && isLate(summary, now) ? 'overdue' : null;
}

/** States that are shown in place of the next expiry. */
const STOPPED: Readonly<Partial<Record<CollectionSummary['state'], string>>> = {
  building: t`building`,
  paused: t`paused`,
  held: t`held`,
};

/** Short status: time to the next expiry, lag, or a pause or hold. */
function formatNext(summary: CollectionSummary, now: number): string {
  const stopped = STOPPED[summary.state];
  if (stopped !== undefined) return stopped;
  const { actionDueAt, nextDeadlineAt } = summary;
  if (actionDueAt !== null && isLate(summary, now)) {
    // The largest unit only: `4 m late`.
    return t`${formatCountdown(now - actionDueAt)
      .split(' ')
      .slice(0, 2)
      .join(' ')} late`;
  }
  if (nextDeadlineAt !== null) {
    return nextDeadlineAt <= now ? t`now` : formatCountdown(nextDeadlineAt - now);
  }
  return summary.state === 'none' ? t`no TTL` : t`none due`;
}

/** One collection in the sidebar. Rendered again only when its summary or its countdown changes. */
export const RailCollection = memo(function RailCollection({
  summary,
  current,
}: {
  summary: CollectionSummary;
  current: boolean;
}) {
  const mark = useAtTick(now => markOf(summary, now));
  const next = useAtTick(now => formatNext(summary, now));
  const { name, documents, ttlIndexes } = summary;
  const indexes = plural(ttlIndexes, { one: '# TTL index', other: '# TTL indexes' });
  const quiet = summary.nextDeadlineAt === null || summary.state === 'paused' || summary.state === 'held';
  return (
    <a
      className={classes.collection}
      href={toCollection(name)}
      aria-current={current ? 'page' : undefined}
      title={t`${name}: ${formatCount(documents)} documents, ${indexes}`}
      onKeyDown={moveToNeighbour}
    >
      {mark === null ? (
        <span />
      ) : (
        <span className={`c-${mark}`}>
          <Icon name={mark} size={12} label={STATE_WORD[mark]} />
        </span>
      )}
      <span className={`${classes.name} ell`}>{name}</span>
      {ttlIndexes === 0 ? (
        <span />
      ) : (
        <span className={classes.ttlCount}>
          <Icon name="glass" size={10} />
          <span className="visually-hidden">{t`TTL indexes`}</span>
          {ttlIndexes}
        </span>
      )}
      <span className={classes.count}>{formatCompact(documents)}</span>
      <span className={`${classes.next} ${mark === 'overdue' ? 'c-overdue' : quiet ? classes.dim : ''}`}>
        {next}
      </span>
    </a>
  );
});

/** Up and down move the focus to the next collection, which scrolls it into sight. */
function moveToNeighbour(event: KeyboardEvent<HTMLAnchorElement>): void {
  const { key, currentTarget } = event;
  const next =
    key === 'ArrowDown'
      ? currentTarget.nextElementSibling
      : key === 'ArrowUp'
        ? currentTarget.previousElementSibling
        : null;
  if (!(next instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  next.focus();
}
