import { useEffect } from 'react';
import { createStore, type ReadableStore } from '../../state/store.ts';

const shown = createStore<readonly string[]>([]);

/** Ids of the jobs whose progress the page shows: the corner of the window leaves them out. */
export const jobsOnPage: ReadableStore<readonly string[]> = shown;

/** While mounted, the component shows the progress of this job itself. */
export function useShowsJob(id: string | null | undefined): void {
  useEffect(() => {
    if (id === null || id === undefined) return;
    shown.set([...shown.get(), id]);
    return () => {
      const ids = [...shown.get()];
      ids.splice(ids.indexOf(id), 1);
      shown.set(ids);
    };
  }, [id]);
}
