import { useEffect, useRef } from 'react';

/** Ctrl+Enter (on a Mac also Command+Enter) anywhere in the window, while it means something. */
export function useCtrlEnter(action: () => void, isOn: boolean): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
}
