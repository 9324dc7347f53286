import { type RefObject, useEffect, useRef } from 'react';
import { runTableKey, runViewKey, type TableCommands } from './table-keys.ts';

/**
 * The keys of the documents screen: all of them while the table has the focus, or nothing has; elsewhere those that no
 * button, checkbox or scrolled pane needs for itself. What is typed into a text field is only text.
 */
export function useViewKeys(
  view: RefObject<HTMLElement | null>,
  grid: RefObject<{ has(target: EventTarget | null): boolean } | null>,
  commands: TableCommands,
  isOn: boolean,
): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
      // With nothing focused the screen is what the keys are for.
      if (target !== document.body && !view.current?.contains(target)) return;
      if (isTextField(target)) {
        if (event.key !== 'Escape' || target.closest('.drawer') === null) return;
        latest.current.leave();
        event.preventDefault();
        return;
      }
      const run = target === document.body || grid.current?.has(target) ? runTableKey : runViewKey;
      if (run(event, latest.current)) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [view, grid, isOn]);
}

function isTextField(target: HTMLElement): boolean {
  return target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select');
}
