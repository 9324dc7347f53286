import { type FocusEvent, type KeyboardEvent, useState } from 'react';

/** Elements that the arrow keys focus; `data-head` holds the name of each. */
const ITEMS = '[data-head]';

interface RovingHead {
  tabIndexOf: (name: string) => 0 | -1;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

interface HeadActions {
  onResize: (name: string, by: 1 | -1) => void;
  onMove: (name: string, by: 1 | -1) => void;
}

/**
 * The column heads are one tab stop. Arrow keys move within it; with Shift they resize a column, with Ctrl and Shift they
 * move it.
 */
export function useRovingHead(
  first: string,
  names: ReadonlySet<string>,
  { onResize, onMove }: HeadActions,
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
      const isMoving = event.shiftKey && (event.ctrlKey || event.metaKey);
      const isOther = event.altKey || ((event.ctrlKey || event.metaKey) && !isMoving);
      if (!(event.target instanceof HTMLElement) || by === 0 || isOther) return;
      event.preventDefault();
      event.stopPropagation();
      const name = event.target.dataset.head;
      if (event.shiftKey) {
        if (name !== undefined) (isMoving ? onMove : onResize)(name, by);
        return;
      }
      const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
      items[items.indexOf(event.target) + by]?.focus();
    },
  };
}
