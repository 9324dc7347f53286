import type { RefObject } from 'react';
import { type GridCommands, gridShortcuts } from '../../components/data-grid/grid-shortcuts.ts';
import type { GridHandle } from '../../components/data-grid/use-virtual-grid.ts';
import { isTextField } from '../../components/shortcuts/reach.ts';
import { useShortcuts } from '../../components/shortcuts/use-shortcuts.ts';

interface DocumentCommands extends Required<GridCommands> {
  setExpiration: () => void;
  undo: () => void;
  focusFilter: () => void;
  moveColumn: (by: 1 | -1) => void;
  copy: () => void;
  editCell: () => void;
}

interface DocumentShortcutOptions {
  view: RefObject<HTMLElement | null>;
  grid: RefObject<GridHandle | null>;
  isOn: boolean;
}

/**
 * Shortcuts of the documents page. All of them work while the focus is on the table or nowhere; elsewhere on the page,
 * only those whose keys the focused button, checkbox or scrolled pane does not use itself.
 */
export function useDocumentShortcuts(commands: DocumentCommands, options: DocumentShortcutOptions): void {
  const { view, grid, isOn } = options;
  const { leave, remove, focusFilter } = commands;
  const inView = {
    j: () => commands.move(1, false),
    'shift+j': () => commands.move(1, true),
    k: () => commands.move(-1, false),
    'shift+k': () => commands.move(-1, true),
    e: commands.setExpiration,
    delete: remove,
    escape: leave,
    'mod+z': commands.undo,
  };
  useShortcuts(inView, {
    covers: focused => view.current?.contains(focused) === true,
    repeats: true,
    isOn,
  });
  useShortcuts(
    {
      ...gridShortcuts(commands),
      ...inView,
      arrowleft: () => commands.moveColumn(-1),
      arrowright: () => commands.moveColumn(1),
      f2: commands.editCell,
    },
    {
      covers: focused => focused === document.body || grid.current?.covers(focused) === true,
      repeats: true,
      isOn,
    },
  );
  // The browser copies selected text of the page.
  useShortcuts(
    { 'mod+c': commands.copy },
    {
      covers: focused =>
        getSelection()?.isCollapsed !== false &&
        (focused === document.body || grid.current?.covers(focused) === true),
      isOn,
    },
  );
  useShortcuts(
    { escape: leave },
    {
      reach: 'window',
      covers: focused =>
        isTextField(focused) &&
        focused.closest('.drawer') !== null &&
        view.current?.contains(focused) === true,
      isOn,
    },
  );
  useShortcuts({ '/': focusFilter });
}
