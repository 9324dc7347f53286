import { useCallback } from 'react';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';
import { NOTHING_STAGED, type Staged, unstage } from './staged-edits.ts';

/**
 * What is staged, by collection of a connection. It outlives the screen, so that a look at the timeline costs nobody their edits, and
 * keeps what was staged before each change, for undo.
 */
interface Entry {
  staged: Staged;
  earlier: readonly Staged[];
}

const MOST_STEPS = 50;
const NONE: Entry = { staged: NOTHING_STAGED, earlier: [] };

const entries = createKeyedStore(() => NONE);

export interface StagedEdits {
  staged: Staged;
  canUndo: boolean;
  /** A step that `undo` takes back. */
  change(next: (staged: Staged) => Staged): void;
  undo(): void;
  /** They left: not to be staged any more, nor again by undo. */
  drop(ids: readonly string[]): void;
  /** What was written or given up; nothing before it can be undone. */
  settle(next: (staged: Staged) => Staged): void;
}

export function useStagedEdits(collection: string): StagedEdits {
  // Taken now: what an answer settles later is of the connection that was asked.
  const key = inConnection(collection);
  const [entry, put] = useKeyed(entries, key);
  const change = useCallback(
    (next: (staged: Staged) => Staged) => {
      const { staged, earlier } = entries.get(key);
      put({ staged: next(staged), earlier: [...earlier, staged].slice(-MOST_STEPS) });
    },
    [key, put],
  );
  const undo = useCallback(() => {
    const { staged, earlier } = entries.get(key);
    put({ staged: earlier.at(-1) ?? staged, earlier: earlier.slice(0, -1) });
  }, [key, put]);
  const drop = useCallback(
    (ids: readonly string[]) => {
      const { staged, earlier } = entries.get(key);
      put({ staged: unstage(staged, ids), earlier: earlier.map(one => unstage(one, ids)) });
    },
    [key, put],
  );
  const settle = useCallback(
    (next: (staged: Staged) => Staged) => put({ staged: next(entries.get(key).staged), earlier: [] }),
    [key, put],
  );
  return { staged: entry.staged, canUndo: entry.earlier.length > 0, change, undo, drop, settle };
}
