import { useCallback, useSyncExternalStore } from 'react';
import type { IndexDraft } from './indexDraft.ts';

/** What was typed into each form and not sent: a look elsewhere loses nothing of it. */
const drafts = new Map<string, IndexDraft>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Null until something was typed: the form then shows what it begins with. */
export function useDraft(form: string): [IndexDraft | null, (draft: IndexDraft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(form) ?? null);
  const keep = useCallback(
    (next: IndexDraft | null) => {
      if (next === null) drafts.delete(form);
      else drafts.set(form, next);
      for (const listener of listeners) listener();
    },
    [form],
  );
  return [draft, keep];
}
