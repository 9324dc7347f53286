import { useEffect, useEffectEvent } from 'react';
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

/** Registers shortcuts while the component is mounted and `isOn` is true. */
export function useShortcuts(shortcuts: Shortcuts, options: ShortcutOptions = {}): void {
  const { reach = 'page', repeats = false, isOn = true } = options;
  const readShortcuts = useEffectEvent(() => shortcuts);
  const covers = useEffectEvent((focused: Element) => options.covers?.(focused) ?? true);
  useEffect(() => {
    if (!isOn) return;
    return addShortcutScope({
      shortcuts: () => readShortcuts(),
      covers: focused => covers(focused),
      reach,
      repeats,
    });
  }, [reach, repeats, isOn]);
}
