import { useCallback, useEffect, useRef, useState } from 'react';
import { client, problemOf } from '../../../api.ts';
import { type CelMistake, celMistake } from './cel-error.ts';

export interface CelFilter {
  /** What is wrong with what was last asked for; null while nothing is. */
  mistake: CelMistake | null;
  /** Lists what it chooses, unless there is a mistake in it: then what is listed stays. */
  ask: (cel: string) => void;
}

/** Asks the engine about a CEL condition before the list depends on it. */
export function useCelFilter(collection: string, apply: (cel: string) => void): CelFilter {
  const [mistake, setMistake] = useState<CelMistake | null>(null);
  const latest = useRef(apply);
  latest.current = apply;
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );
  const ask = useCallback(
    (cel: string) => {
      const mine = ++turn.current;
      const told = (found: CelMistake | null) => {
        if (mine !== turn.current) return;
        setMistake(found);
        if (found === null) latest.current(cel);
      };
      if (cel.trim() === '') return told(null);
      void check(collection, cel).then(told);
    },
    [collection],
  );
  return { mistake, ask };
}

/** Of the documents due in no time at all: it is compiled, and none is read. */
async function check(collection: string, cel: string): Promise<CelMistake | null> {
  try {
    await client.documents.list({ collection, cel, dueFrom: 0, dueTo: 0, limit: 1 });
    return null;
  } catch (error) {
    // Anything else will be said of the list itself.
    return celMistake(problemOf(error));
  }
}
