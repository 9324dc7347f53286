import { createKeyedStore, useKeyed } from '../../state/keyed-store.ts';
import { type Dismissed, dismiss, stillFound } from './findings/dismissed.ts';
import type { Finding } from './findings/finding.ts';

/** Prefix of the keys in localStorage: one for each store. */
const KEY = 'sandglass.dismissed.';
const NONE: Dismissed = {};
const dismissedOf = createKeyedStore(store => parse(localStorage.getItem(KEY + store)));

/** Returns an empty record if the stored text has another format. */
function parse(text: string | null): Dismissed {
  if (text === null) return NONE;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return NONE;
    return Object.fromEntries(Object.entries(value).filter(([, weight]) => typeof weight === 'number'));
  } catch {
    return NONE;
  }
}

function save(store: string, dismissed: Dismissed): void {
  localStorage.setItem(KEY + store, JSON.stringify(dismissed));
  dismissedOf.set(store, dismissed);
}

export function dismissFinding(store: string, finding: Finding): void {
  save(store, dismiss(dismissedOf.get(store), finding));
}

export function showAllFindings(store: string): void {
  save(store, NONE);
}

/** Removes the dismissals of findings that no longer exist. */
export function dropStaleDismissals(store: string, found: readonly Finding[]): void {
  const before = dismissedOf.get(store);
  const after = stillFound(before, found);
  if (Object.keys(after).length !== Object.keys(before).length) save(store, after);
}

export function useDismissed(store: string): Dismissed {
  return useKeyed(dismissedOf, store)[0];
}
