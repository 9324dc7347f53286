import { useEffect, useRef } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { client, liveState, problemOf } from '../../../api.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { now } from '../../../components/time/clock.ts';
import { findGone, MOST_ASKED, maybeGone, NewsRound } from './find-removed.ts';
import type { Staged } from './staged-edits.ts';

const EVERY_MS = 1_000;

/** Tells which of the chosen and staged documents have left, soon after they did; not while they are being deleted from here. */
export function useGone(
  collection: string,
  chosen: Selected<DocumentRecord>,
  staged: Staged,
  isDeleting: boolean,
  onGone: (ids: readonly string[]) => void,
): void {
  const latest = useRef({ chosen, staged, onGone });
  latest.current = { chosen, staged, onGone };
  const isOn = !isDeleting && (chosen.size > 0 || staged.size > 0);

  useEffect(() => {
    if (!isOn) return;
    const round = new NewsRound();
    let start = 0;
    let isAsking = false;
    let isStopped = false;
    const look = async () => {
      if (isAsking) return;
      const { chosen, staged } = latest.current;
      const rows = [...chosen.values(), ...[...staged.values()].map(one => one.before)];
      const news = liveState().collections?.get(collection);
      const all = [...new Set(rows.map(({ _id }) => _id))];
      const ids = [...new Set([...maybeGone(rows, now(), start), ...round.next(all, news)])];
      if (ids.length === 0) return;
      isAsking = true;
      start += MOST_ASKED;
      const gone = await findGone(ids, id => isThere(collection, id));
      isAsking = false;
      if (gone.length > 0 && !isStopped) latest.current.onGone(gone);
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => {
      isStopped = true;
      clearInterval(timer);
    };
  }, [collection, isOn]);
}

function isThere(collection: string, id: string): Promise<boolean> {
  return client.documents.get({ collection, id, includeExpired: true }).then(
    () => true,
    (error: unknown) => problemOf(error).code !== 'DOCUMENT_NOT_FOUND',
  );
}
