import { app, type BaseWindow, BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * An action of the page with a shortcut. Its menu item sends that key to the page, which then needs no code for menus.
 */
interface Action {
  id: string;
  label: string;
  key: string;
  with?: readonly ('mod' | 'shift')[];
}

const MAC = process.platform === 'darwin';

const ACTIONS = {
  openFile: { id: 'open-file', label: 'Open a file…', key: 'O', with: ['mod'] },
  search: { id: 'search', label: 'Search or run a command', key: 'K', with: ['mod'] },
  sidebar: { id: 'sidebar', label: 'Collapse the sidebar', key: 'B', with: ['mod'] },
  utc: { id: 'utc', label: 'UTC or local time', key: 'U', with: ['mod', 'shift'] },
  theme: { id: 'theme', label: 'Light, dark, system', key: 'L', with: ['mod', 'shift'] },
  pause: { id: 'pause', label: 'Pause or resume', key: 'P', with: ['mod', 'shift'] },
  runPass: { id: 'run-pass', label: 'Run a pass now', key: 'R', with: ['mod', 'shift'] },
  shortcuts: { id: 'shortcuts', label: 'Keyboard shortcuts', key: '?' },
} as const satisfies Record<string, Action>;

function press({ key, with: held = [] }: Action, window: BaseWindow | undefined): void {
  if (!(window instanceof BrowserWindow)) return;
  const modifiers = held.map(name => (name === 'shift' ? 'shift' : MAC ? 'meta' : 'control'));
  window.webContents.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers });
  window.webContents.sendInputEvent({ type: 'keyUp', keyCode: key, modifiers });
}

function item(action: Action): MenuItemConstructorOptions {
  const held = (action.with ?? []).map(name => (name === 'mod' ? 'CmdOrCtrl' : 'Shift'));
  return {
    id: action.id,
    label: action.label,
    accelerator: [...held, action.key].join('+'),
    // The accelerator is only displayed: the page handles the key itself, and ignores it in text fields.
    registerAccelerator: false,
    click: (_item, window) => press(action, window),
  };
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

/** Actions that the main process performs itself. */
export interface DesktopActions {
  openWindow(): void;
  openLog(): void;
  notifications: {
    readonly isOn: boolean;
    set(isOn: boolean): void;
  };
}

/** Contains no `forceReload`: its key runs a pass. */
function menuTemplate({ openWindow, openLog, notifications }: DesktopActions): MenuItemConstructorOptions[] {
  return [
    ...(MAC ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        // This accelerator is registered: the page cannot open a window itself.
        { id: 'new-window', label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: openWindow },
        item(ACTIONS.openFile),
        SEPARATOR,
        { role: MAC ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        item(ACTIONS.search),
        item(ACTIONS.sidebar),
        item(ACTIONS.utc),
        item(ACTIONS.theme),
        SEPARATOR,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        SEPARATOR,
        { role: 'reload' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: 'Reaper',
      submenu: [
        item(ACTIONS.pause),
        item(ACTIONS.runPass),
        SEPARATOR,
        {
          id: 'notifications',
          label: 'Notify of alerts in the background',
          type: 'checkbox',
          checked: notifications.isOn,
          click: ({ checked }) => notifications.set(checked),
        },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item(ACTIONS.shortcuts),
        { id: 'open-log', label: 'Open the log file', click: openLog },
        ...(MAC ? [] : [{ role: 'about' } as const]),
      ],
    },
  ];
}

export function showMenu(actions: DesktopActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions)));
}
