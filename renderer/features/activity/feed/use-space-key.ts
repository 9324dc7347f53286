import { useEffect, useRef } from 'react';

/** What takes Space for itself. */
const TAKES_SPACE = 'button, a, input, textarea, select, [contenteditable], [role=dialog]';

/** Space anywhere on the page that does not take it for itself. */
export function useSpaceKey(action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== ' ' || event.defaultPrevented || event.repeat) return;
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(TAKES_SPACE) !== null) return;
      if (document.querySelector('[role=dialog][aria-modal=true]') !== null) return;
      event.preventDefault();
      latest.current();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
