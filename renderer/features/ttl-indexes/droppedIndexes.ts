import { useMemo, useSyncExternalStore } from 'react';
import { inConnection } from '../../components/location.ts';

export interface DroppedIndex {
  /** In its connection. */
  collection: string;
  name: string;
  /** Epoch ms, by the engine. */
  at: number;
}

const KEY = 'sandglass.dropped-indexes';
/** The engine keeps them all; here are the latest that this window dropped, to be undone where they were. */
const AT_MOST = 20;
const listeners = new Set<() => void>();
let dropped: readonly DroppedIndex[] = restored();

function restored(): readonly DroppedIndex[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isDropped) : [];
  } catch {
    // A window that may keep nothing begins with nothing.
    return [];
  }
}

function isDropped(value: unknown): value is DroppedIndex {
  return (
    typeof value === 'object' &&
    value !== null &&
    'collection' in value &&
    typeof value.collection === 'string' &&
    'name' in value &&
    typeof value.name === 'string' &&
    'at' in value &&
    typeof value.at === 'number'
  );
}

function change(next: readonly DroppedIndex[]): void {
  dropped = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // It is remembered until the window closes.
  }
  for (const listener of listeners) listener();
}

const others = (collection: string, name: string) =>
  dropped.filter(one => one.collection !== inConnection(collection) || one.name !== name);

export function rememberDropped({ collection, name, at }: DroppedIndex): void {
  change([{ collection: inConnection(collection), name, at }, ...others(collection, name)].slice(0, AT_MOST));
}

export function forgetDropped(collection: string, name: string): void {
  change(others(collection, name));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What this window dropped of a collection, the latest first. */
export function useDropped(collection: string): readonly DroppedIndex[] {
  const all = useSyncExternalStore(subscribe, () => dropped);
  const key = inConnection(collection);
  return useMemo(() => all.filter(one => one.collection === key), [all, key]);
}
