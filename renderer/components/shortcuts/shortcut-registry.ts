import { keyNameOf, type PressedKey } from './key-name.ts';
import { isAllowed, type Reach } from './reach.ts';

/** Actions by key name, see `keyNameOf`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

export interface ShortcutScope {
  /** Read at each key press, so that a scope is registered once while its actions change. */
  shortcuts: () => Shortcuts;
  reach: Reach;
  /** Whether the scope covers the focused element; `document.body` has the focus when nothing else has. */
  covers: (focused: Element) => boolean;
  /** Whether a key that is held down runs its action again. */
  repeats: boolean;
}

type KeyPress = PressedKey & Pick<KeyboardEvent, 'defaultPrevented' | 'repeat' | 'target' | 'preventDefault'>;

const scopes: ShortcutScope[] = [];

/** Runs at most one action for a key press: that of the scope registered last. Returns whether an action was found. */
function runShortcut(event: KeyPress): boolean {
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof Element)) return false;
  const name = keyNameOf(event);
  for (const scope of scopes.toReversed()) {
    const run = scope.shortcuts()[name];
    if (run === undefined || !scope.covers(target) || !isAllowed(name, target, scope.reach)) continue;
    event.preventDefault();
    if (!event.repeat || scope.repeats) run();
    return true;
  }
  return false;
}

/** Returns the function that removes the scope. The window has a key listener while there is a scope. */
export function addShortcutScope(scope: ShortcutScope): () => void {
  if (scopes.length === 0) addEventListener('keydown', runShortcut);
  scopes.push(scope);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) removeEventListener('keydown', runShortcut);
  };
}
