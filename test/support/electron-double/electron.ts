/** The module `electron` in the double's main process. The import of a name that is missing here fails. */

import { strict } from './strict.ts';
import { contentsOf } from './window.ts';

export { app } from './app.ts';
export { ipcMain } from './ipc.ts';
export { Menu } from './menu.ts';
export { dialog, Notification, nativeTheme, protocol, safeStorage, screen, session, shell } from './parts.ts';
export { MessageChannelMain } from './ports.ts';
export { BrowserWindow } from './window.ts';
/** Evaluated by Playwright. */
export const webContents = strict('webContents', { fromDevToolsTargetId: contentsOf });
