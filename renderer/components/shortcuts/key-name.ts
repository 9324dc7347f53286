import { isMac } from '../controls/platform.ts';

export type PressedKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Returns the name under which shortcuts are registered: `mod+shift+p`, `alt+arrowleft`, `space`, `?`. `mod` is Ctrl, on
 * a Mac Command. A shifted sign is named by the sign alone: `?`, not `shift+/`.
 */
export function keyNameOf(event: PressedKey, mac = isMac): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  const isSign = key.length === 1 && (key < 'a' || key > 'z');
  const modifiers = [
    (mac ? event.metaKey : event.ctrlKey) && 'mod',
    (mac ? event.ctrlKey : event.metaKey) && (mac ? 'ctrl' : 'meta'),
    event.altKey && 'alt',
    event.shiftKey && !isSign && 'shift',
  ];
  return [...modifiers, key].filter(Boolean).join('+');
}
