import { useEffect, useRef } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { client, liveState, problemOf } from '../../../api.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { now } from '../../../components/time/clock.ts';
import { CheckRound, findRemoved, MOST_CHECKED, mayBeRemoved } from './find-removed.ts';
import type { Staged } from './staged-edits.ts';

const CHECK_MS = 1_000;

/** Reports selected and staged documents that were removed, except while this window deletes them. */
export function useRemoved(
  collection: string,
  selected: Selected<DocumentRecord>,
  staged: Staged,
  isDeleting: boolean,
  onRemoved: (ids: readonly string[]) => void,
): void {
  const latest = useRef({ selected, staged, onRemoved });
  latest.current = { selected, staged, onRemoved };
  const isOn = !isDeleting && (selected.size > 0 || staged.size > 0);

  useEffect(() => {
    if (!isOn) return;
    const round = new CheckRound();
    let start = 0;
    let isChecking = false;
    let isStopped = false;
    const check = async () => {
      if (isChecking) return;
      const { selected, staged } = latest.current;
      const rows = [...selected.values(), ...[...staged.values()].map(one => one.before)];
      const news = liveState().collections?.get(collection);
      const all = [...new Set(rows.map(({ _id }) => _id))];
      const ids = [...new Set([...mayBeRemoved(rows, now(), start), ...round.next(all, news)])];
      if (ids.length === 0) return;
      isChecking = true;
      start += MOST_CHECKED;
      const removed = await findRemoved(ids, id => exists(collection, id));
      isChecking = false;
      if (removed.length > 0 && !isStopped) latest.current.onRemoved(removed);
    };
    const timer = setInterval(() => void check(), CHECK_MS);
    return () => {
      isStopped = true;
      clearInterval(timer);
    };
  }, [collection, isOn]);
}

function exists(collection: string, id: string): Promise<boolean> {
  return client.documents.get({ collection, id, includeExpired: true }).then(
    () => true,
    (error: unknown) => problemOf(error).code !== 'DOCUMENT_NOT_FOUND',
  );
}
