import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { EXPLICIT } from '../../../shared/model/ttl-index.ts';
import { visibleText } from '../../../shared/model/visible-text.ts';
import { type LiveState, useLive, useMissing } from '../../api.ts';
import { Segmented } from '../../components/controls/Segmented.tsx';
import { Swatch } from '../../components/figures/Swatch.tsx';
import { toCollection } from '../../components/navigation/location.ts';
import { TruncatedId } from '../../components/TruncatedId.tsx';
import { useAtTick } from '../../components/time/clock.ts';
import { Due, Instant, TimeOfDay, Upcoming } from '../../components/time/Time.tsx';
import classes from './collections.module.css';
import { formatRemovalLag } from './format-figure.ts';
import { isPausedOrHeld } from './is-paused-or-held.ts';
import { useExpiringNext, useJustExpired } from './use-queues.ts';
import type { ColourOfSeries } from './use-swatches.ts';

const ROWS = 8;
/** More rows are read than shown: the others move up until the next answer. */
const ASKED = 40;
const SIDES = [
  { value: 'next', label: t`Next` },
  { value: 'expired', label: t`Expired` },
] as const;
type Side = (typeof SIDES)[number]['value'];

interface QueueProps {
  collection: string | null;
  /** Colour of its series on the timeline: of its index or, for the whole store, of its collection. */
  colourOf: ColourOfSeries;
}

/** Documents to be removed next and documents just removed; side by side if there is room, else in tabs. */
export function Queue({ collection, colourOf }: QueueProps) {
  const [side, setSide] = useState<Side>('next');
  return (
    <section className={`panel ${classes.queue}`} aria-label={t`Expiring next and just expired`}>
      <div className={classes.side} data-chosen={side === 'next'}>
        <div className="panel-h">
          <h2>{t`Expiring next`}</h2>
          <span className="spacer" />
          <span className="narrow">
            <Segmented
              label={t`Expiring next or just expired`}
              value={side}
              segments={SIDES}
              onChange={setSide}
            />
          </span>
        </div>
        <ExpiringNext collection={collection} colourOf={colourOf} />
      </div>
      <div className={classes.side} data-chosen={side === 'expired'}>
        <div className="panel-h">
          <h2>{t`Just expired`}</h2>
          <span className="spacer" />
          <span className="narrow">
            <Segmented
              label={t`Expiring next or just expired`}
              value={side}
              segments={SIDES}
              onChange={setSide}
            />
          </span>
        </div>
        <JustExpired collection={collection} colourOf={colourOf} />
      </div>
    </section>
  );
}

function isStopped({ reaper, collections }: LiveState, collection: string | null): boolean {
  const here = collection === null ? undefined : collections?.get(collection)?.state;
  return (reaper !== null && reaper.state !== 'running') || (here !== undefined && isPausedOrHeld(here));
}

function formatNone({ collections }: LiveState, collection: string | null): string {
  if (collection !== null && collections?.get(collection)?.state === 'held')
    return t`Nothing is removed until confirmed.`;
  const all = [...(collections?.values() ?? [])];
  const here = collection === null ? all : all.filter(({ name }) => name === collection);
  if (here.some(({ state, overdue }) => overdue > 0 && !isPausedOrHeld(state)))
    return t`All documents with a deadline are overdue.`;
  const still = all.find(({ state, withDeadline }) => isPausedOrHeld(state) && withDeadline > 0)?.state;
  return collection !== null || still === undefined
    ? t`No document has a deadline.`
    : t`All documents with a deadline are ${still}.`;
}

function ExpiringNext({ collection, colourOf }: QueueProps) {
  const stopped = useLive(state => isStopped(state, collection));
  const next = useExpiringNext(collection, ASKED, stopped);
  const nothing = useLive(state => formatNone(state, collection));
  const passed = useAtTick(now => next?.findIndex(({ at }) => at > now) ?? 0);
  if (next === undefined) return null;
  if (next.length === 0) return <p className="none t-3">{nothing}</p>;
  // If all their deadlines have passed, the last known rows are kept, so that the list does not flash empty.
  const upcoming = (stopped || passed < 0 ? next : next.slice(passed)).slice(0, ROWS);
  return (
    <ul>
      {upcoming.map(({ collection: name, id, at, from }) => (
        <li key={`${name}/${id}`}>
          <a
            className={classes.entry}
            href={toCollection(name, 'documents')}
            title={rowTitle(name, id, from)}
          >
            <Swatch colour={colourOf(collection === null ? name : byHand(from))} />
            <TruncatedId id={id} />
            {stopped ? <Due at={at} className="num" /> : <Upcoming at={at} className="num" />}
            <Instant at={at} className="t-3 num" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function JustExpired(props: QueueProps) {
  const unlisted = useMissing('removals');
  return unlisted === null ? <LastRemoved {...props} /> : <p className="none t-3 wrap">{unlisted}</p>;
}

function LastRemoved({ collection, colourOf }: QueueProps) {
  const expired = useJustExpired(collection, ROWS);
  if (expired === undefined) return null;
  if (expired.length === 0) return <p className="none t-3">{t`Nothing has expired yet.`}</p>;
  return (
    <ul>
      {expired.map(({ collection: name, _id, index, revision, position, ...times }) => (
        <li key={`${revision}/${position}`}>
          <a
            className={classes.entry}
            href={toCollection(name, 'activity', { filter: _id })}
            title={`${rowTitle(name, _id, index)}; ${formatRemovalLag(times).title}`}
          >
            <Swatch colour={colourOf(collection === null ? name : byHand(index))} />
            <TruncatedId id={_id} className="t-2" />
            <span className="t-2 num">{formatRemovalLag(times).text}</span>
            <TimeOfDay at={times.removedAt} className="t-3 num" />
          </a>
        </li>
      ))}
    </ul>
  );
}

const byHand = (source: string | null) => (source === EXPLICIT ? null : source);

function rowTitle(collection: string, id: string, from: string | null): string {
  const document = visibleText(id);
  if (from === null) return t`${document} in ${collection}`;
  return from === EXPLICIT
    ? t`${document} in ${collection}, by hand`
    : t`${document} in ${collection}, by ${from}`;
}
