import { useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from '../../../state/latest.ts';

const TYPING_MS = 250;

export interface TypedFilter {
  text: string;
  type: (text: string) => void;
  /** Applies the text without waiting for a pause. */
  settle: () => void;
}

/** Shows typed text at once and applies it after a pause. */
export function useTypedFilter(filter: string, apply: (filter: string) => void): TypedFilter {
  const [text, setText] = useState(filter);
  const applied = useRef(filter);
  const latest = useLatest(apply);

  useEffect(() => {
    // Back, forward and *Clear the filter* change the URL while the field stays mounted.
    if (filter === applied.current) return;
    applied.current = filter;
    setText(filter);
  }, [filter]);
  const settle = useCallback(
    (now: string) => {
      if (now === applied.current) return;
      applied.current = now;
      latest.current(now);
    },
    [latest],
  );
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, settle]);
  return { text, type: setText, settle: useCallback(() => settle(text), [settle, text]) };
}
