import { useEffect, useRef } from 'react';

/** T, wherever on the page the focus is, except where keys are typed. */
export function useTableKey(toggle: () => void): void {
  const latest = useRef(toggle);
  useEffect(() => {
    latest.current = toggle;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      const types =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
      if (!types && (event.key === 't' || event.key === 'T')) latest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
