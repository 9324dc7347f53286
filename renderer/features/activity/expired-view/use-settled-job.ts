import { useEffect, useMemo, useRef, useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { type ExpiredJob, useExpiredJob } from '../expired-model/expired-jobs.ts';
import type { ExpiredSelection } from '../expired-model/use-expired-selection.ts';
import type { HistoryPager } from '../history/history-pager.ts';
import { type Failure, failedEntries } from '../restore/restore-plan.ts';

const NO_FAILURES: ReadonlyMap<string, Failure> = new Map();

export interface SettledJob {
  work: ExpiredJob | null;
  /** Ids of entries restored since the list was opened. */
  restored: ReadonlySet<string>;
  failures: ReadonlyMap<string, Failure>;
}

/** After a restore or a purge, keeps failed entries selected, marks restored ones, and updates the list. */
export function useSettledJob(selection: ExpiredSelection, pager: HistoryPager<ExpiredEntry>): SettledJob {
  const work = useExpiredJob();
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set());
  const ended = work !== null && work.job.state !== 'running' ? work : null;
  const failures = useMemo(
    () =>
      ended !== null && 'chosen' in ended.target
        ? failedEntries(ended.target.chosen, ended.job)
        : NO_FAILURES,
    [ended],
  );
  const settled = useRef<string | null>(null);
  const { set } = selection;
  const endedId = ended?.job.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each job that ends
  useEffect(() => {
    if (ended === null || settled.current === endedId) return;
    settled.current = endedId;
    if (!('chosen' in ended.target)) {
      set(new Map());
      pager.restart();
      return;
    }
    const { chosen } = ended.target;
    // After a cancelled job, or if only some of the failures are named, the list is read again.
    const isExact = ended.job.state === 'done' && (ended.job.failedCount ?? 0) === failures.size;
    set(new Map([...chosen].filter(([id]) => failures.has(id))));
    if (isExact && ended.expiration !== null)
      setRestored(known => new Set([...known, ...[...chosen.keys()].filter(id => !failures.has(id))]));
    if (!isExact || ended.expiration === null) pager.restart();
    else
      pager.change(entry =>
        chosen.has(entry.id) && !failures.has(entry.id) ? { ...entry, restorable: null } : entry,
      );
  }, [endedId]);
  return { work, restored, failures };
}
