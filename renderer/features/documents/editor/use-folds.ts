import { useState } from 'react';
import { type Folded, fold, markAt, unfold, unfoldMore } from './folded-text.ts';

export interface Folds {
  folded: Folded;
  type: (shown: string) => void;
  /** The mark that the cursor is in; null: in none. */
  mark: { mark: string; from: number } | null;
  at: (cursor: number) => void;
  showMore: () => void;
}

/** Folds a text, and applies changes of the shown text to the whole text. */
export function useFolds(text: string, onChange: (text: string) => void): Folds {
  const [state, setState] = useState(() => ({ text, folded: fold(text) }));
  const [cursor, at] = useState(0);
  // A text set from outside is folded again; typing keeps the folds.
  const isOurs = state.text === text;
  const folded = isOurs ? state.folded : fold(text);
  if (!isOurs) setState({ text, folded });
  const mark = folded.folds.size === 0 ? null : markAt(folded, cursor);
  return {
    folded,
    type(shown) {
      const next = { ...folded, shown };
      const whole = unfold(next);
      setState({ text: whole, folded: next });
      onChange(whole);
    },
    mark,
    at,
    showMore() {
      if (mark !== null) setState({ text, folded: unfoldMore(folded, mark) });
    },
  };
}
