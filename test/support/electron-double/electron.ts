/** What `import … from 'electron'` gives in the double's main process. A name that is not here fails to import. */

import { strict } from './strict.ts';
import { contentsOf } from './window.ts';

export { app } from './app.ts';
export { ipcMain } from './ipc.ts';
export { Menu } from './menu.ts';
export { dialog, Notification, nativeTheme, protocol, screen, session, shell } from './parts.ts';
export { MessageChannelMain } from './ports.ts';
export { BrowserWindow } from './window.ts';
/** Playwright's own question. */
export const webContents = strict('webContents', { fromDevToolsTargetId: contentsOf });
