import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { MatchingChange } from './MatchingDialog.tsx';
import { useMatchingJob } from './use-matching-job.ts';

export interface Matching {
  /** All that the list holds is chosen, read or not. */
  isChosen: boolean;
  choose: () => void;
  leave: () => void;
  /** What is asked about, before it is begun. */
  asked: MatchingChange | null;
  ask: (change: MatchingChange | null) => void;
  begin: (job: Job) => void;
  /** Of the change last begun here; null while it runs, and once it was read. */
  ended: Job | null;
  dismiss: () => void;
}

/** Choosing and changing all documents of a list without reading them [E3]; another list (`scope`) begins anew. */
export function useMatching(collection: string, scope: unknown): Matching {
  const [isChosen, setChosen] = useState(false);
  const [asked, ask] = useState<MatchingChange | null>(null);
  const [job, keep] = useMatchingJob(collection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scope is what begins anew
  useEffect(() => {
    setChosen(false);
    ask(null);
  }, [scope]);
  const choose = useCallback(() => setChosen(true), []);
  const leave = useCallback(() => setChosen(false), []);
  const begin = useCallback(
    (begun: Job) => {
      keep(begun);
      setChosen(false);
    },
    [keep],
  );
  const dismiss = useCallback(() => keep(null), [keep]);
  const ended = job !== null && job.state !== 'running' ? job : null;
  return { isChosen, choose, leave, asked, ask, begin, ended, dismiss };
}
