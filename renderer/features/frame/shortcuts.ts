import { useEffect, useRef } from 'react';
import { isMac } from '../../components/controls/platform.ts';

/** `mod+b`, `mod+shift+p`, `?`: mod is Ctrl, on a Mac Command. */
export type Shortcuts = Readonly<Record<string, () => void>>;

function nameOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.toLowerCase();
  // A shifted sign is its own key: `?` is written so, not `shift+/`.
  const shift = event.shiftKey && key.length === 1 && key >= 'a' && key <= 'z';
  return `${mod ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${key}`;
}

/** A ticked box takes no text: a plain key pressed on one is a shortcut. */
const TYPED_INTO =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED_INTO) !== null;
}

/** Keys that work on every page. Plain keys are left alone where someone types, all of them inside a dialog that holds the page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const name = nameOf(event);
      const run = latest.current[name];
      if (run === undefined || event.defaultPrevented || event.repeat) return;
      if (!name.startsWith('mod+') && isTyping(event.target)) return;
      if (event.target instanceof HTMLElement && event.target.closest('[role=dialog][aria-modal=true]'))
        return;
      event.preventDefault();
      run();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
