import { useEffect, useEffectEvent } from 'react';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { client, liveState } from '../../../api.ts';
import type { Selected } from '../../../components/data-grid/grid-selection.ts';
import { now } from '../../../components/time/clock.ts';
import { everyWhileVisible } from '../../../state/while-visible.ts';
import { CheckRound, MOST_CHECKED, mayBeRemoved } from './find-removed.ts';
import type { Staged } from './staged-edits.ts';

const CHECK_MS = 1_000;
const NONE_MISSING = { missing: [] as readonly string[] };

/** Reports selected and staged documents that were removed, except while this window deletes them. */
export function useRemoved(
  collection: string,
  selected: Selected<DocumentRecord>,
  staged: Staged,
  isDeleting: boolean,
  onRemoved: (ids: readonly string[]) => void,
): void {
  const watched = useEffectEvent(() => [
    ...selected.values(),
    ...[...staged.values()].map(({ before }) => before),
  ]);
  const report = useEffectEvent(onRemoved);
  const isOn = !isDeleting && (selected.size > 0 || staged.size > 0);

  useEffect(() => {
    if (!isOn) return;
    const round = new CheckRound();
    let start = 0;
    let isChecking = false;
    let isStopped = false;
    const check = async () => {
      if (isChecking) return;
      const rows = watched();
      const news = liveState().collections?.get(collection);
      const all = [...new Set(rows.map(({ _id }) => _id))];
      const ids = [...new Set([...mayBeRemoved(rows, now(), start), ...round.next(all, news)])];
      if (ids.length === 0) return;
      isChecking = true;
      start += MOST_CHECKED;
      // After a failed check the documents count as present; the next check follows in a second.
      const { missing } = await client.documents.missing({ collection, ids }).catch(() => NONE_MISSING);
      isChecking = false;
      if (missing.length > 0 && !isStopped) report(missing);
    };
    const stop = everyWhileVisible(CHECK_MS, () => void check());
    return () => {
      isStopped = true;
      stop();
    };
  }, [collection, isOn]);
}
