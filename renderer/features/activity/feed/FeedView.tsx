import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../components/controls/Button.tsx';
import { Icon } from '../../../components/controls/Icon.tsx';
import { arrayRows } from '../../../components/data-grid/grid-rows.ts';
import { HistoryTable, type HistoryTableHandle } from '../../../components/data-grid/HistoryTable.tsx';
import { useActiveRow } from '../../../components/data-grid/use-active-row.ts';
import { changeQuery, usePlace } from '../../../components/navigation/location.ts';
import { usePageCommands } from '../../../components/navigation/page-commands.ts';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import { useAtTick } from '../../../components/time/clock.ts';
import { formatCount } from '../../../i18n/format.ts';
import classes from '../activity.module.css';
import { FilterMenu } from '../filter/FilterMenu.tsx';
import { TextFilter } from '../filter/TextFilter.tsx';
import { useCollectionChoices } from '../filter/use-collection-choices.ts';
import { useIndexChoices } from '../filter/use-index-choices.ts';
import { FeedDetails } from './FeedDetails.tsx';
import type { Feed } from './feed.ts';
import { FEED_COLUMNS, Gap } from './feed-columns.tsx';
import { type FeedFilter, isFiltered, readFeedFilter } from './feed-filter.ts';
import type { FeedEntry, FeedRow } from './feed-log.ts';
import { formatRow, KINDS } from './format-feed.ts';
import { useFeed } from './use-feed.ts';

const keyOf = ({ key }: FeedEntry) => key;
const ALL = { collection: null, kind: null, index: null, filter: null };

/** Every change as it happens, grouped by change set, newest first [V2]. */
export function FeedView() {
  const { query } = usePlace();
  const filter = readFeedFilter(query);
  const [isFollowing, setFollowing] = useState(true);
  const [isAtTop, setAtTop] = useState(true);
  const [opened, setOpened] = useState<FeedRow | null>(null);
  const table = useRef<HistoryTableHandle>(null);
  const { feed, snapshot, reach } = useFeed(filter, !isFollowing || !isAtTop || opened !== null);
  const { entries, waiting, isFilled, problem } = snapshot;
  const rows = useMemo(() => arrayRows(entries, keyOf), [entries]);
  const active = useActiveRow(rows);

  const open = (row: FeedEntry, index: number) => {
    if (row.kind === 'gap') return;
    active.activate(index);
    setOpened(row);
    table.current?.focus();
  };
  const close = () => {
    setOpened(null);
    table.current?.focus();
  };
  const showNew = () => {
    feed.showWaiting();
    table.current?.toTop();
  };
  const toggleFollowing = () => setFollowing(following => !following);
  useShortcuts({ space: toggleFollowing });
  usePageCommands([
    {
      label: isFollowing ? t`Stop following the feed` : t`Follow the feed`,
      icon: isFollowing ? 'paused' : 'running',
      shortcut: 'Space',
      run: toggleFollowing,
    },
  ]);
  // The opened row may not match the new filter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the feed changes
  useEffect(() => setOpened(null), [feed]);

  return (
    <div className={classes.activity}>
      <div className="fbar">
        <TextFilter
          label={t`Filter by id or index`}
          value={filter.text}
          onChange={text => changeQuery({ filter: text === '' ? null : text })}
        />
        <Filters filter={filter} />
        <span className="spacer" />
        {problem !== null && (
          <span className="t-12 ell" role="alert">
            <Icon name="err" size={12} className="c-overdue" /> {problem}
          </span>
        )}
        {waiting > 0 ? (
          <Button small icon="up" onClick={showNew}>
            <Trans>{formatCount(waiting)} new</Trans>
          </Button>
        ) : (
          <Rate feed={feed} />
        )}
        <Button icon={isFollowing ? 'paused' : 'running'} shortcut="Space" onClick={toggleFollowing}>
          {isFollowing ? t`Stop following` : t`Follow`}
        </Button>
      </div>
      <div className="split">
        <div className="grid-area feed">
          <HistoryTable
            ref={table}
            label={t`Live feed`}
            columns={FEED_COLUMNS}
            rows={rows}
            newestBy="revision"
            isWhole={false}
            look={entry => ({
              isSelected: entry.key === opened?.key,
              title: entry.kind === 'gap' ? undefined : formatRow(entry),
            })}
            renderWhole={entry => (entry.kind === 'gap' ? <Gap {...entry} /> : undefined)}
            onPick={open}
            active={active}
            onMoved={row => {
              if (opened !== null && row.kind !== 'gap') setOpened(row);
            }}
            commands={{
              open: () => {
                if (active.row !== undefined && active.index !== null) open(active.row, active.index);
              },
              ...(opened !== null && { leave: close }),
            }}
            onNearEnd={readNothing}
            onTop={setAtTop}
            onPointer={reach}
          />
          {isFilled && entries.length === 0 && <NoChanges isFiltered={isFiltered(filter)} />}
        </div>
        {opened !== null && <FeedDetails row={opened} onClose={close} />}
      </div>
    </div>
  );
}

const readNothing = () => {};

function Filters({ filter }: { filter: FeedFilter }) {
  const collections = useCollectionChoices();
  const indexes = useIndexChoices(filter.collection);
  return (
    <>
      <FilterMenu
        label={t`Collection`}
        any={t`all`}
        value={filter.collection}
        choices={collections}
        onChange={collection => changeQuery({ collection, index: null })}
      />
      {filter.collection !== null && (
        <FilterMenu
          label={t`Index`}
          any={t`all`}
          value={filter.index}
          choices={indexes}
          onChange={index => changeQuery({ index })}
        />
      )}
      <FilterMenu
        label={t`Kind`}
        any={t`all`}
        value={filter.kind}
        choices={KINDS}
        onChange={kind => changeQuery({ kind })}
      />
    </>
  );
}

function Rate({ feed }: { feed: Feed }) {
  const rate = useAtTick(() => feed.rate.perSecond(performance.now()));
  return <span className="t-12 t-3 nowrap">{rate === 0 ? '' : t`${formatCount(rate)} a second`}</span>;
}

function NoChanges({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon="filter"
      title={t`No recent change matches`}
      actions={<Button onClick={() => changeQuery(ALL)}>{t`Show all changes`}</Button>}
    >{t`New matching changes are shown here.`}</EmptyState>
  ) : (
    <EmptyState icon="activity" title={t`No changes yet`}>
      <Trans>Every write and every expiry is shown here as soon as it is durable.</Trans>
    </EmptyState>
  );
}
