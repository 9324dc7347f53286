import { useEffect, useRef } from 'react';
import type { Reach } from './reach.ts';
import { addShortcutScope, type Shortcuts } from './shortcut-registry.ts';

export interface ShortcutOptions {
  /** Default `page`. */
  reach?: Reach;
  /** Default: any element. */
  covers?: (focused: Element) => boolean;
  /** Default false. */
  repeats?: boolean;
  /** Default true. */
  isOn?: boolean;
}

/** Registers shortcuts while the component is mounted and they are on. */
export function useShortcuts(shortcuts: Shortcuts, options: ShortcutOptions = {}): void {
  const { reach = 'page', repeats = false, isOn = true } = options;
  const latest = useRef({ shortcuts, covers: options.covers });
  useEffect(() => {
    latest.current = { shortcuts, covers: options.covers };
  });
  useEffect(() => {
    if (!isOn) return;
    return addShortcutScope({
      shortcuts: () => latest.current.shortcuts,
      covers: focused => latest.current.covers?.(focused) ?? true,
      reach,
      repeats,
    });
  }, [reach, repeats, isOn]);
}
