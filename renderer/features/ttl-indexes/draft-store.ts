import { useCallback, useSyncExternalStore } from 'react';
import { inConnection } from '../../components/navigation/location.ts';
import type { IndexDraft } from './draft/index-draft.ts';

/** What was typed into each form and not sent: a look elsewhere loses nothing of it. */
const drafts = new Map<string, IndexDraft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Null until something was typed: the form then shows what it begins with. */
export function useDraft(form: string): [IndexDraft | null, (draft: IndexDraft | null) => void] {
  const key = inConnection(form);
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? null);
  const keep = useCallback(
    (next: IndexDraft | null) => {
      if (next === null) drafts.delete(key);
      else drafts.set(key, next);
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [draft, keep];
}
