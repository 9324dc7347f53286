import { useCallback, useRef, useState } from 'react';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import { now } from '../../../components/time/clock.ts';
import { between, type Choice, isKept, NOTHING_CHOSEN, toggled, withKept } from './expired-selection.ts';

export interface UsedChoice {
  choice: Choice;
  /** All that match is meant, read or not. */
  isSpan: boolean;
  toggle: (entry: ExpiredEntry) => void;
  /** From the row last chosen to this one. */
  extend: (entry: ExpiredEntry) => void;
  chooseLoaded: () => void;
  chooseSpan: () => void;
  set: (choice: Choice) => void;
  clear: () => void;
}

/** Entries chosen in the ledger. Choices go with their entry, also out of sight. */
export function useChoice(rows: readonly ExpiredEntry[]): UsedChoice {
  const [choice, setChoice] = useState(NOTHING_CHOSEN);
  const [isSpan, setSpan] = useState(false);
  const anchor = useRef<string | null>(null);
  const latest = useRef(rows);
  latest.current = rows;
  const toggle = useCallback((entry: ExpiredEntry) => {
    setSpan(false);
    anchor.current = entry.id;
    setChoice(current => (current.has(entry.id) || isKept(entry, now()) ? toggled(current, entry) : current));
  }, []);
  const extend = useCallback((entry: ExpiredEntry) => {
    setSpan(false);
    const range = between(latest.current, anchor.current, entry);
    anchor.current ??= entry.id;
    setChoice(current => withKept(current, range, now()));
  }, []);
  const chooseLoaded = useCallback(() => {
    setSpan(false);
    setChoice(current => withKept(current, latest.current, now()));
  }, []);
  const chooseSpan = useCallback(() => setSpan(true), []);
  const set = useCallback((next: Choice) => {
    setSpan(false);
    setChoice(next);
  }, []);
  const clear = useCallback(() => {
    setSpan(false);
    setChoice(NOTHING_CHOSEN);
  }, []);
  return { choice, isSpan, toggle, extend, chooseLoaded, chooseSpan, set, clear };
}
