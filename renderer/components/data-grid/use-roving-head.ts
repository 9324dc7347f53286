import { type FocusEvent, type KeyboardEvent, useState } from 'react';

/** Elements that the arrow keys focus; `data-head` holds the name of each. */
const ITEMS = '[data-head]';

interface RovingHead {
  tabIndexOf: (name: string) => 0 | -1;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** The column heads are one tab stop; arrow keys move within it, and Shift with an arrow resizes. */
export function useRovingHead(
  first: string,
  names: ReadonlySet<string>,
  onResize: (name: string, by: 1 | -1) => void,
): RovingHead {
  const [focused, setFocused] = useState(first);
  // A hidden column cannot be the tab stop.
  const stop = names.has(focused) ? focused : first;
  return {
    tabIndexOf: name => (name === stop ? 0 : -1),
    onFocus: event => {
      const name = event.target.dataset.head;
      if (name !== undefined) setFocused(name);
    },
    onKeyDown: event => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const isOther = event.altKey || event.ctrlKey || event.metaKey;
      if (!(event.target instanceof HTMLElement) || by === 0 || isOther) return;
      event.preventDefault();
      event.stopPropagation();
      const name = event.target.dataset.head;
      if (event.shiftKey) {
        if (name !== undefined) onResize(name, by);
        return;
      }
      const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
      items[items.indexOf(event.target) + by]?.focus();
    },
  };
}
