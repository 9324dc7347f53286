import { useCallback } from 'react';
import { inConnection } from '../../../components/navigation/location.ts';
import { createKeyedStore, useKeyed } from '../../../state/keyed-store.ts';
import { NOTHING_STAGED, type Staged, unstage } from './staged-edits.ts';

/** Staged edits by connection and collection, with the former states for undo. Kept while other pages are open. */
interface Entry {
  staged: Staged;
  earlier: readonly Staged[];
}

const MOST_STEPS = 50;
const NONE: Entry = { staged: NOTHING_STAGED, earlier: [] };

const entries = createKeyedStore(() => NONE);

export interface StagedEdits {
  staged: Staged;
  /** The states that undo returns to, the latest last. */
  earlier: readonly Staged[];
  canUndo: boolean;
  /** A change that `undo` can revert. */
  change(next: (staged: Staged) => Staged): void;
  undo(): void;
  /** Removes documents that expired or were deleted, also from the states that undo returns to. */
  drop(ids: readonly string[]): void;
  /** Removes written or discarded edits and clears undo. */
  settle(next: (staged: Staged) => Staged): void;
  /** Adds edits and undo states from before a reload, below the present ones. */
  restore(staged: Staged, earlier: readonly Staged[]): void;
}

export function useStagedEdits(collection: string): StagedEdits {
  // The connection is fixed now, because a later answer belongs to the connection of the request.
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
  const restore = useCallback(
    (former: Staged, states: readonly Staged[]) => {
      const { staged, earlier } = entries.get(key);
      const under = (state: Staged) => new Map([...former, ...state]);
      put({ staged: under(staged), earlier: [...states, ...earlier.map(under)].slice(-MOST_STEPS) });
    },
    [key, put],
  );
  const { staged, earlier } = entry;
  return { staged, earlier, canUndo: earlier.length > 0, change, undo, drop, settle, restore };
}
