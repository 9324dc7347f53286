type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

export interface TableCommands {
  /** By rows; `extend` selects on the way. */
  move: (by: number, extend: boolean) => void;
  page: (direction: 1 | -1, extend: boolean) => void;
  ends: (end: 'first' | 'last') => void;
  toggle: (extend: boolean) => void;
  selectLoaded: () => void;
  open: () => void;
  setExpiration: () => void;
  remove: () => void;
  leave: () => void;
  undo: () => void;
}

/** What a key does in the table; false where it is not ours. */
export function runTableKey(event: Pressed, commands: TableCommands): boolean {
  const { key, shiftKey } = event;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'a') commands.selectLoaded();
    else if (key === 'z') commands.undo();
    else return false;
    return true;
  }
  switch (key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      commands.move(1, shiftKey);
      return true;
    case 'ArrowUp':
    case 'k':
    case 'K':
      commands.move(-1, shiftKey);
      return true;
    case 'PageDown':
      commands.page(1, shiftKey);
      return true;
    case 'PageUp':
      commands.page(-1, shiftKey);
      return true;
    case 'Home':
      commands.ends('first');
      return true;
    case 'End':
      commands.ends('last');
      return true;
    case ' ':
      commands.toggle(shiftKey);
      return true;
    case 'Enter':
      commands.open();
      return true;
    case 'e':
      commands.setExpiration();
      return true;
    case 'Delete':
      commands.remove();
      return true;
    case 'Escape':
      commands.leave();
      return true;
    default:
      return false;
  }
}

/** Elsewhere on the screen Space, Enter, the arrows and Ctrl A belong to what has the focus. */
const OF_THE_VIEW = new Set(['j', 'J', 'k', 'K', 'e', 'Delete', 'Escape']);

/** What a key does beside the table; false where it is not ours. */
export function runViewKey(event: Pressed, commands: TableCommands): boolean {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key === 'z';
  const isPlain = !event.ctrlKey && !event.metaKey && OF_THE_VIEW.has(event.key);
  return (isUndo || isPlain) && runTableKey(event, commands);
}
