import type { Shortcuts } from '../shortcuts/shortcut-registry.ts';

/** Commands of a grid's keys. A command that a grid does not define has no key. */
export interface GridCommands {
  /** Moves the active row by a number of rows; `extend` selects the rows passed. */
  move: (by: number, extend: boolean) => void;
  page: (direction: 1 | -1, extend: boolean) => void;
  toEnd: (end: 'first' | 'last') => void;
  toggle?: (extend: boolean) => void;
  open?: () => void;
  selectLoaded?: () => void;
  remove?: () => void;
  leave?: () => void;
}

export function gridShortcuts(commands: GridCommands): Shortcuts {
  const { move, page, toEnd, toggle, open, selectLoaded, remove, leave } = commands;
  return {
    arrowdown: () => move(1, false),
    'shift+arrowdown': () => move(1, true),
    j: () => move(1, false),
    'shift+j': () => move(1, true),
    arrowup: () => move(-1, false),
    'shift+arrowup': () => move(-1, true),
    k: () => move(-1, false),
    'shift+k': () => move(-1, true),
    pagedown: () => page(1, false),
    'shift+pagedown': () => page(1, true),
    pageup: () => page(-1, false),
    'shift+pageup': () => page(-1, true),
    home: () => toEnd('first'),
    end: () => toEnd('last'),
    ...(toggle && { space: () => toggle(false), 'shift+space': () => toggle(true) }),
    ...(open && { enter: open }),
    ...(selectLoaded && { 'mod+a': selectLoaded }),
    ...(remove && { delete: remove }),
    ...(leave && { escape: leave }),
  };
}
