import { useSyncExternalStore } from 'react';
import { type Dismissed, dismiss, stillFound } from './findings/dismissed.ts';
import type { Finding } from './findings/finding.ts';

/** Kept in this browser, for each store by itself. */
const KEY = 'sandglass.dismissed.';
const NONE: Dismissed = {};
const known = new Map<string, Dismissed>();
const listeners = new Set<() => void>();

function read(store: string): Dismissed {
  const already = known.get(store);
  if (already !== undefined) return already;
  const dismissed = parsed(localStorage.getItem(KEY + store));
  known.set(store, dismissed);
  return dismissed;
}

/** What is no record of weights, from another version or by hand, is nothing dismissed. */
function parsed(text: string | null): Dismissed {
  if (text === null) return NONE;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return NONE;
    return Object.fromEntries(Object.entries(value).filter(([, weight]) => typeof weight === 'number'));
  } catch {
    return NONE;
  }
}

function write(store: string, dismissed: Dismissed): void {
  known.set(store, dismissed);
  localStorage.setItem(KEY + store, JSON.stringify(dismissed));
  for (const listener of listeners) listener();
}

export function dismissFinding(store: string, finding: Finding): void {
  write(store, dismiss(read(store), finding));
}

export function showAllFindings(store: string): void {
  write(store, NONE);
}

/** Drops what is no longer found. */
export function forget(store: string, found: readonly Finding[]): void {
  const before = read(store);
  const after = stillFound(before, found);
  if (Object.keys(after).length !== Object.keys(before).length) write(store, after);
}

export function useDismissed(store: string): Dismissed {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(store),
  );
}
