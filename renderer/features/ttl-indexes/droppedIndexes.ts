import { useSyncExternalStore } from 'react';

export interface DroppedIndex {
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
  dropped.filter(one => one.collection !== collection || one.name !== name);

export function rememberDropped(one: DroppedIndex): void {
  change([one, ...others(one.collection, one.name)].slice(0, AT_MOST));
}

export function forgetDropped(collection: string, name: string): void {
  change(others(collection, name));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What this window dropped, the latest first. */
export function useDropped(): readonly DroppedIndex[] {
  return useSyncExternalStore(subscribe, () => dropped);
}
