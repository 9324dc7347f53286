import { useCallback, useEffect, useRef, useState } from 'react';
import { client, problemOf } from '../../../api.ts';
import { useLatest } from '../../../state/latest.ts';
import { type CelError, readCelError } from './cel-error.ts';

export interface CelFilter {
  /** Error of the last check; null: none. */
  celError: CelError | null;
  /** Applies the condition if it compiles; otherwise the list does not change. */
  applyCel: (cel: string) => void;
}

/** Compiles a CEL condition on the engine before it is applied. */
export function useCelFilter(collection: string, apply: (cel: string) => void): CelFilter {
  const [celError, setMistake] = useState<CelError | null>(null);
  const latest = useLatest(apply);
  const request = useRef(0);
  useEffect(
    () => () => {
      request.current += 1;
    },
    [],
  );
  const applyCel = useCallback(
    (cel: string) => {
      const current = ++request.current;
      const finish = (found: CelError | null) => {
        if (current !== request.current) return;
        setMistake(found);
        if (found === null) latest.current(cel);
      };
      if (cel.trim() === '') return finish(null);
      void check(collection, cel).then(finish);
    },
    [collection, latest],
  );
  return { celError, applyCel };
}

/** Lists an empty time window: the condition is compiled, and no document is read. */
async function check(collection: string, cel: string): Promise<CelError | null> {
  try {
    await client.documents.list({ collection, cel, dueFrom: 0, dueTo: 0, limit: 1 });
    return null;
  } catch (error) {
    // Other errors are shown by the list.
    return readCelError(problemOf(error));
  }
}
