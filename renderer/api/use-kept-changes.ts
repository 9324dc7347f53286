import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKeepsProduction } from '../state/kept-production.ts';
import { deletePending, keepPending, takeOver } from '../state/pending-database.ts';
import { setUnkept } from '../state/unkept-changes.ts';
import { openWindows, windowId } from '../state/window-id.ts';
import { useCurrentConnection } from './known-connections.ts';
import { useLive } from './live-store.ts';

export interface KeptChanges<Kept extends object> {
  /** Name of the part of the window, unique in a store: `documents of sessions`. */
  part: string;
  /** The present changes; null: none. */
  record: Kept | null;
  /** Whether a loss of `record` would lose work. */
  isUnsaved: boolean;
  /** Returns the records of several windows as one, those of a later window after the others; null: none is readable. */
  merge(records: readonly unknown[]): Kept | null;
  /**
   * Returns the function that shows the changes, after the required reads. If it rejects, the record stays stored until
   * the next start, and later changes are not kept.
   */
  restore(record: Kept): Promise<() => void>;
  /** Called once when there are changes and storing fails. */
  onNotKept(error: unknown): void;
}

/** Parts whose record was read: once per page load; after that everything is in memory. */
const read = new Set<string>();

/**
 * Keeps pending changes over a reload or a crash, for 7 days; takes over those of windows that are closed now. Each
 * window keeps its own. Changes on production connections are kept only if the person chose so; the browser warns
 * before unkept changes are lost.
 */
export function useKeptChanges<Kept extends object>(changes: KeptChanges<Kept>): void {
  const { part, record, isUnsaved } = changes;
  const store = useLive(state => state.store?.file ?? null);
  const [keepsProduction] = useKeepsProduction();
  const isProduction = useCurrentConnection()?.environment === 'production';
  const isKept = !isProduction || keepsProduction;
  const name = store === null ? null : `${store}\n${part}`;
  const [ready, setReady] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const isWriting = useRef(false);
  const isChanged = useRef(false);

  const restored = useEffectEvent((kept: Kept) => changes.restore(kept));
  const merge = useEffectEvent((records: readonly unknown[]) => changes.merge(records));
  useEffect(() => {
    if (name === null || store === null) return;
    if (!isKept) {
      deletePending(store).catch(reportError);
      return;
    }
    let isUnmounted = false;
    const begin = async () => {
      if (!read.has(name)) {
        const own = { store, part, window: await windowId() };
        const kept = await takeOver(own, await openWindows(), records => merge(records));
        const show = kept === null ? null : await restored(kept);
        if (isUnmounted) return;
        show?.();
      }
      read.add(name);
      if (!isUnmounted) setReady(name);
    };
    begin().catch(error => setFailure({ error }));
    return () => {
      isUnmounted = true;
    };
  }, [name, store, part, isKept]);

  const latest = useEffectEvent(() => record);
  const keep = useEffectEvent(async () => {
    if (store === null) return;
    isChanged.current = true;
    if (isWriting.current) return;
    isWriting.current = true;
    try {
      while (isChanged.current) {
        isChanged.current = false;
        await keepPending({ store, part, window: await windowId() }, latest());
      }
      setFailure(null);
    } catch (error) {
      setFailure({ error });
    } finally {
      isWriting.current = false;
    }
  });
  const isReady = isKept && name !== null && ready === name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps the record when it changes
  useEffect(() => {
    if (isReady) void keep();
  }, [isReady, name, record]);

  const isFailing = failure !== null && isUnsaved;
  const onNotKept = useEffectEvent(() => changes.onNotKept(failure?.error));
  useEffect(() => {
    if (isFailing) onNotKept();
  }, [isFailing]);
  const isAtRisk = isUnsaved && (!isKept || isFailing);
  // Not reset when the page is left: the changes stay in memory.
  useEffect(() => {
    if (name !== null) setUnkept(name, isAtRisk);
  }, [name, isAtRisk]);
}
