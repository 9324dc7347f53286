import { plural, t } from '@lingui/core/macro';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Pass } from '../../../../shared/contract/reaper.ts';
import { client, useLive } from '../../../api.ts';
import { Button } from '../../../components/controls/Button.tsx';
import { arrayRows } from '../../../components/data-grid/grid-rows.ts';
import { HistoryTable, type HistoryTableHandle } from '../../../components/data-grid/HistoryTable.tsx';
import { useActiveRow } from '../../../components/data-grid/use-active-row.ts';
import { changeQuery, usePlace } from '../../../components/navigation/location.ts';
import { EmptyState } from '../../../components/status/EmptyState.tsx';
import classes from '../activity.module.css';
import { FilterMenu } from '../filter/FilterMenu.tsx';
import { useCollectionChoices } from '../filter/use-collection-choices.ts';
import { HistoryState } from '../history/HistoryState.tsx';
import { useHistory } from '../history/use-history.ts';
import { ENDING_CHOICES } from './format-pass.ts';
import { PassDetails } from './PassDetails.tsx';
import { PASS_COLUMNS, ReaperActive } from './pass-columns.tsx';
import { passSource, readPassFilter } from './pass-source.ts';

const keyOf = ({ id }: Pass) => String(id);

/** [R7] Passes of the reaper, newest first. */
export function PassesView() {
  const { query } = usePlace();
  const { collection, ended } = readPassFilter(query);
  const source = useMemo(() => passSource({ collection, ended }, client.reaper.passes), [collection, ended]);
  const { pager, snapshot, still } = useHistory(source);
  const collections = useCollectionChoices();
  const isReaperActive = useLive(({ reaper }) => reaper?.active === true);
  const table = useRef<HistoryTableHandle>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const rows = useMemo(() => arrayRows(snapshot.rows, keyOf), [snapshot.rows]);
  const active = useActiveRow(rows);
  const open = opened === null ? undefined : snapshot.rows.find(({ id }) => id === opened);

  const more = useCallback(() => void pager.more(), [pager]);
  const onTop = useCallback(
    (isAtTop: boolean) => {
      still.current = !isAtTop;
      if (isAtTop) pager.takeWaiting();
    },
    [pager, still],
  );
  const openPass = (pass: Pass, index: number) => {
    active.activate(index);
    setOpened(pass.id);
    table.current?.focus();
  };
  const close = () => {
    setOpened(null);
    table.current?.focus();
  };
  const isFiltered = collection !== null || ended !== null;
  return (
    <div className={classes.activity}>
      <div className="fbar">
        <FilterMenu
          label={t`Collection`}
          any={t`all`}
          value={collection}
          choices={collections}
          onChange={value => changeQuery({ collection: value })}
        />
        <FilterMenu
          label={t`Ended`}
          any={t`for any reason`}
          value={ended}
          choices={ENDING_CHOICES}
          onChange={value => changeQuery({ ended: value })}
        />
        <span className="spacer" />
        <HistoryState snapshot={snapshot} what="passes" onMore={more} onTop={() => table.current?.toTop()} />
      </div>
      <div className="split">
        <div className="grid-area">
          <ReaperActive value={isReaperActive}>
            <HistoryTable
              ref={table}
              label={t`Passes`}
              columns={PASS_COLUMNS}
              rows={rows}
              newestBy="pass"
              isWhole={snapshot.isWhole}
              look={({ id }) => ({ isSelected: id === opened })}
              onPick={openPass}
              active={active}
              onMoved={pass => {
                if (opened !== null) setOpened(pass.id);
              }}
              commands={{
                open: () => {
                  if (active.row !== undefined && active.index !== null) openPass(active.row, active.index);
                },
                ...(open !== undefined && { leave: close }),
              }}
              onNearEnd={more}
              onTop={onTop}
            />
          </ReaperActive>
          {snapshot.rows.length === 0 && snapshot.isWhole && (
            <EmptyState
              icon={isFiltered ? 'filter' : 'next'}
              title={isFiltered ? t`No pass of the last 90 days matches` : t`No pass has run yet`}
              actions={
                isFiltered && (
                  <Button
                    onClick={() => changeQuery({ collection: null, ended: null })}
                  >{t`Show all passes`}</Button>
                )
              }
            >
              {isFiltered
                ? plural(snapshot.searched, {
                    one: '# pass was searched.',
                    other: '# passes were searched.',
                  })
                : t`The reaper starts a pass when a deadline is reached. No document was due so far.`}
            </EmptyState>
          )}
        </div>
        {open !== undefined && <PassDetails pass={open} isReaperActive={isReaperActive} onClose={close} />}
      </div>
    </div>
  );
}
