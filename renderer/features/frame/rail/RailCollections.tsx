import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo, useRef, useState } from 'react';
import { useAway, useLive, useRefusal } from '../../../api.ts';
import { Icon } from '../../../components/controls/Icon.tsx';
import { useRowsInSight } from '../../../components/data-table/rows-in-sight.ts';
import { toCollection } from '../../../components/navigation/location.ts';
import { RailCollection } from './RailCollection.tsx';
import { RailFilter } from './RailFilter.tsx';
import classes from './rail.module.css';

/** From this many collections on, they can be filtered by name. */
const FILTERED_FROM = 12;
/** From this many on, only those in sight are rendered. */
const WINDOWED_FROM = 60;
/** Height of a collection, px: `.collection` in rail.module.css. */
const ROW_HEIGHT = 26;

/** Collections of the current connection, and a button to create one. */
export function RailCollections({
  here,
  onNewCollection,
}: {
  here: string | undefined;
  onNewCollection: () => void;
}) {
  const collections = useLive(state => state.collections);
  const lost = useLive(({ connection }) => connection.is !== 'open');
  const mayWrite = useRefusal('collections.create') === null;
  const isAway = useAway();
  const [filter, setFilter] = useState('');
  const all = useMemo(() => [...(collections?.values() ?? [])], [collections]);
  const isFiltered = all.length >= FILTERED_FROM;
  const wanted = isFiltered ? filter.trim().toLowerCase() : '';
  const shown = wanted === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  const list = useRef<HTMLDivElement>(null);
  const { first, end, ...gaps } = useRowsInSight({
    count: shown.length,
    rowHeight: ROW_HEIGHT,
    windowedFrom: WINDOWED_FROM,
    element: list,
  });
  if (collections === null || isAway) return null;
  return (
    <nav aria-label={t`Collections`}>
      {isFiltered && (
        <RailFilter
          value={filter}
          count={wanted === '' ? null : shown.length}
          onChange={setFilter}
          onEnter={() => {
            const [match] = shown;
            if (match !== undefined) location.hash = toCollection(match.name);
          }}
          onDown={() => list.current?.querySelector('a')?.focus()}
        />
      )}
      <div ref={list} style={{ paddingTop: gaps.above, paddingBottom: gaps.below }}>
        {shown.slice(first, end).map(summary => (
          <RailCollection key={summary.name} summary={summary} current={summary.name === here} />
        ))}
      </div>
      {mayWrite && (
        <button type="button" className={classes.newCollection} disabled={lost} onClick={onNewCollection}>
          <Icon name="plus" size={12} />
          <Trans>New collection…</Trans>
        </button>
      )}
    </nav>
  );
}
