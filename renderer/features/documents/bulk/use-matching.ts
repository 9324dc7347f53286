import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { MatchingChange } from './MatchingDialog.tsx';
import { useMatchingJob } from './use-matching-job.ts';

export interface Matching {
  /** Every matching document is selected, in memory or not. */
  isSelected: boolean;
  select: () => void;
  deselect: () => void;
  /** The change to confirm. */
  proposed: MatchingChange | null;
  propose: (change: MatchingChange | null) => void;
  start: (job: Job) => void;
  /** The last change, once it ended; null after its result was dismissed. */
  ended: Job | null;
  dismiss: () => void;
}

/** Selects and changes all matching documents by filter [E3]. The selection is reset when `scope` changes. */
export function useMatching(collection: string, scope: unknown): Matching {
  const [isSelected, setSelected] = useState(false);
  const [proposed, propose] = useState<MatchingChange | null>(null);
  const [job, keep] = useMatchingJob(collection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets when the scope changes
  useEffect(() => {
    setSelected(false);
    propose(null);
  }, [scope]);
  const select = useCallback(() => setSelected(true), []);
  const deselect = useCallback(() => setSelected(false), []);
  const start = useCallback(
    (started: Job) => {
      keep(started);
      setSelected(false);
    },
    [keep],
  );
  const dismiss = useCallback(() => keep(null), [keep]);
  const ended = job !== null && job.state !== 'running' ? job : null;
  return { isSelected, select, deselect, proposed, propose, start, ended, dismiss };
}
