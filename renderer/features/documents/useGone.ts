import { useEffect, useRef } from 'react';
import { client, problemOf } from '../../api.ts';
import { now } from '../../components/clock.ts';
import { findGone, MOST_ASKED, maybeGone } from './goneAsk.ts';
import type { Chosen } from './selection.ts';
import type { Staged } from './staging.ts';

const EVERY_MS = 1_000;

/** Tells which of the chosen and staged documents have left, soon after they did. */
export function useGone(
  collection: string,
  chosen: Chosen,
  staged: Staged,
  onGone: (ids: readonly string[]) => void,
): void {
  const latest = useRef({ chosen, staged, onGone });
  latest.current = { chosen, staged, onGone };
  const isOn = chosen.size > 0 || staged.size > 0;

  useEffect(() => {
    if (!isOn) return;
    let start = 0;
    let isAsking = false;
    let isStopped = false;
    const look = async () => {
      if (isAsking) return;
      const { chosen, staged } = latest.current;
      const ids = maybeGone(
        [...chosen.values(), ...[...staged.values()].map(one => one.before)],
        now(),
        start,
      );
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
