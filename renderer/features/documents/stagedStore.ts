import { useCallback, useSyncExternalStore } from 'react';
import { NOTHING_STAGED, type Staged, unstage } from './staging.ts';

/**
 * What is staged, by collection. It outlives the screen, so that a look at the timeline costs nobody their edits, and
 * keeps what was staged before each change, for undo.
 */
interface Entry {
  staged: Staged;
  earlier: readonly Staged[];
}

const MOST_STEPS = 50;
const NONE: Entry = { staged: NOTHING_STAGED, earlier: [] };

const entries = new Map<string, Entry>();
const listeners = new Set<() => void>();

function put(collection: string, entry: Entry): void {
  entries.set(collection, entry);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
  const entry = useSyncExternalStore(subscribe, () => entries.get(collection) ?? NONE);
  const change = useCallback(
    (next: (staged: Staged) => Staged) => {
      const { staged, earlier } = entries.get(collection) ?? NONE;
      put(collection, { staged: next(staged), earlier: [...earlier, staged].slice(-MOST_STEPS) });
    },
    [collection],
  );
  const undo = useCallback(() => {
    const { staged, earlier } = entries.get(collection) ?? NONE;
    put(collection, { staged: earlier.at(-1) ?? staged, earlier: earlier.slice(0, -1) });
  }, [collection]);
  const drop = useCallback(
    (ids: readonly string[]) => {
      const { staged, earlier } = entries.get(collection) ?? NONE;
      put(collection, { staged: unstage(staged, ids), earlier: earlier.map(one => unstage(one, ids)) });
    },
    [collection],
  );
  const settle = useCallback(
    (next: (staged: Staged) => Staged) =>
      put(collection, { staged: next((entries.get(collection) ?? NONE).staged), earlier: [] }),
    [collection],
  );
  return { staged: entry.staged, canUndo: entry.earlier.length > 0, change, undo, drop, settle };
}
