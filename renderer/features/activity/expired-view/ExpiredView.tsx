import { t } from '@lingui/core/macro';
import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { client, useMissing, useRestoreConflicts } from '../../../api.ts';
import { arrayRows } from '../../../components/data-grid/grid-rows.ts';
import { HistoryTable, type HistoryTableHandle } from '../../../components/data-grid/HistoryTable.tsx';
import { useActiveRow } from '../../../components/data-grid/use-active-row.ts';
import { usePlace } from '../../../components/navigation/location.ts';
import { now } from '../../../components/time/clock.ts';
import classes from '../activity.module.css';
import { DroppedCollections } from '../dropped/DroppedCollections.tsx';
import { expiredSource, isFiltered, readExpiredFilter, spanOf } from '../expired-model/expired-filter.ts';
import { type ExpiredTarget, setExpiredJob } from '../expired-model/expired-jobs.ts';
import { isRestorable } from '../expired-model/expired-selection.ts';
import { useExpiredSelection } from '../expired-model/use-expired-selection.ts';
import { HistoryState } from '../history/HistoryState.tsx';
import { useHistory } from '../history/use-history.ts';
import { PurgeExpired } from '../purge/PurgeExpired.tsx';
import { RestoreDialog } from '../restore/RestoreDialog.tsx';
import type { OnConflict } from '../restore/restore-plan.ts';
import { ExpiredBar } from './ExpiredBar.tsx';
import { ExpiredEmpty, RemovalsUnlisted } from './ExpiredEmpty.tsx';
import { ExpiredSelectionBar } from './ExpiredSelectionBar.tsx';
import { ExpiredSummary } from './ExpiredSummary.tsx';
import { EXPIRED_COLUMNS, ExpiredRows } from './expired-columns.tsx';
import { useDeniedReason } from './use-denied-reason.ts';
import { useSettledJob } from './use-settled-job.ts';

const keyOf = ({ id }: ExpiredEntry) => id;

interface Asked {
  target: ExpiredTarget;
  onConflict: OnConflict;
}

/**
 * [X4] Expired documents and those deleted by hand, newest first: index, deadline, removal time, and whether each is
 * restorable. `here`: only those of this collection.
 */
export function ExpiredView({ here = null }: { here?: string | null }) {
  const unlisted = useMissing('removals');
  if (unlisted !== null) return <RemovalsUnlisted reason={unlisted} />;
  return <ListedRemovals here={here} />;
}

function ListedRemovals({ here }: { here: string | null }) {
  const { query } = usePlace();
  const fragment = query.toString();
  const filter = useMemo(() => readExpiredFilter(new URLSearchParams(fragment), here), [fragment, here]);
  const source = useMemo(() => expiredSource(filter, client.metrics.expired), [filter]);
  const { pager, snapshot, still } = useHistory(source);
  const rows = useMemo(() => arrayRows(snapshot.rows, keyOf), [snapshot.rows]);
  const active = useActiveRow(rows);
  const selection = useExpiredSelection(rows, filter);
  const { selected, isSpan, toggle, extendTo, clear } = selection;
  const [restoring, setRestoring] = useState<Asked | null>(null);
  const [purging, setPurging] = useState<ExpiredTarget | null>(null);
  const isAtTop = useRef(true);
  const table = useRef<HistoryTableHandle>(null);
  const deniedReason = useDeniedReason();
  const hasPurge = useMissing('purge') === null;
  const hasDropped = useMissing('collections') === null;
  const conflicts = useRestoreConflicts();
  const { work, restored, failures } = useSettledJob(selection, pager);
  const isSelecting = selected.size > 0 || isSpan;

  useEffect(() => {
    still.current = isSelecting || !isAtTop.current;
  }, [still, isSelecting]);

  const more = useCallback(() => void pager.more(), [pager]);
  const onTop = useCallback(
    (atTop: boolean) => {
      isAtTop.current = atTop;
      still.current = !atTop || isSelecting;
      if (atTop && !isSelecting) pager.takeWaiting();
    },
    [pager, still, isSelecting],
  );
  const onPick = (_: ExpiredEntry, index: number, event: MouseEvent) => {
    active.activate(index);
    table.current?.focus();
    if (event.shiftKey) extendTo(index);
    else toggle(index);
  };
  const shown = useMemo(
    () => ({
      isSelected: (entry: ExpiredEntry) => (isSpan ? entry.restorable !== null : selected.has(entry.id)),
      isRestored: (entry: ExpiredEntry) => entry.isRestored || restored.has(entry.id),
      failureOf: (entry: ExpiredEntry) => failures.get(entry.id),
      toggle: (entry: ExpiredEntry) => {
        const index = rows.indexOf(entry.id);
        if (index !== undefined) toggle(index);
      },
    }),
    [rows, isSpan, selected, restored, failures, toggle],
  );
  const restorableCount = () =>
    snapshot.isWhole ? snapshot.rows.filter(entry => isRestorable(entry, now())).length : null;
  const target = (): ExpiredTarget => {
    const span = isSpan ? spanOf(filter, now()) : null;
    return span === null ? { chosen: selected } : { span, count: restorableCount() };
  };
  const everything = (): ExpiredTarget => {
    const span = spanOf(filter, now());
    return span === null ? { everything: true } : { span, count: restorableCount() };
  };
  const spanned = filter.text.trim() === '' ? filter.collection : null;
  const isSpanFiltered = filter.index !== null || filter.from !== null || filter.to !== null;
  const state = (
    <HistoryState
      snapshot={snapshot}
      what="entries"
      onMore={more}
      onTop={() => {
        pager.takeWaiting();
        table.current?.toTop();
      }}
    />
  );
  return (
    <div className={classes.activity}>
      {here === null && hasDropped && <DroppedCollections deniedReason={deniedReason} />}
      {isSelecting ? (
        <ExpiredSelectionBar
          selection={selection}
          loaded={snapshot.rows.length}
          spanOf={spanned}
          isFiltered={isSpanFiltered}
          deniedReason={deniedReason}
          onRestore={() => setRestoring({ target: target(), onConflict: 'skip' })}
          onPurge={() => setPurging(target())}
        />
      ) : (
        <ExpiredBar
          filter={filter}
          deniedReason={
            filter.text.trim() === '' ? deniedReason : t`Select entries, or clear the filter by id.`
          }
          here={here}
          onRestore={
            spanned === null ? null : () => setRestoring({ target: everything(), onConflict: 'skip' })
          }
          restorable={restorableCount()}
          onPurge={() => setPurging(everything())}
        >
          {state}
        </ExpiredBar>
      )}
      <div className="split">
        <div className={`grid-area ${classes.ledger}`}>
          <ExpiredRows value={shown}>
            <HistoryTable
              ref={table}
              label={t`Expired`}
              columns={EXPIRED_COLUMNS}
              rows={rows}
              newestBy="done"
              isWhole={snapshot.isWhole}
              look={entry => ({
                isSelected: shown.isSelected(entry),
                className: failures.has(entry.id) ? 'fail' : undefined,
              })}
              onPick={onPick}
              active={active}
              selection={selection}
              onMoved={() => {}}
              commands={{
                toggle: extend => {
                  if (active.index === null) return;
                  if (extend) extendTo(active.index);
                  else toggle(active.index);
                },
                open: () => {
                  const entry = active.row;
                  if (deniedReason !== null || entry === undefined || entry.restorable === null) return;
                  const chosen = selected.size > 0 ? selected : new Map([[entry.id, entry]]);
                  setRestoring({ target: isSpan ? target() : { chosen }, onConflict: 'skip' });
                },
                selectLoaded: selection.selectLoaded,
                ...(isSelecting && {
                  leave: clear,
                  ...(deniedReason === null && hasPurge && { remove: () => setPurging(target()) }),
                }),
              }}
              onNearEnd={more}
              onTop={onTop}
            />
          </ExpiredRows>
          {snapshot.rows.length === 0 && snapshot.isWhole && (
            <ExpiredEmpty isFiltered={isFiltered(filter)} searched={snapshot.searched} />
          )}
        </div>
      </div>
      {work !== null && work.job.state !== 'running' && (
        <ExpiredSummary
          key={work.job.id}
          work={work}
          onAgain={entries =>
            setRestoring({
              target: { chosen: new Map(entries.map(entry => [entry.id, entry])) },
              onConflict: conflicts.includes('newId') ? 'newId' : 'replace',
            })
          }
          onDismiss={() => setExpiredJob(null)}
        />
      )}
      <RestoreDialog
        target={restoring?.target ?? null}
        onConflict={restoring?.onConflict ?? 'skip'}
        onClose={() => setRestoring(null)}
      />
      <PurgeExpired target={purging} onClose={() => setPurging(null)} />
    </div>
  );
}
